// The search page: asks the index, shows what was found by episode and chapter, and keeps the question in the address.
// Nothing found is ever taken for HTML: words become text, and what was sought stands in <mark>.
import { clock } from "./memory.js";
import { counted, number } from "./numbers.js";

const FACETS = ["topic", "person", "season", "year"];
const PAGE = 10; // results shown at a time
const PASSAGES = 3; // of a result, before the others are asked for
const WINDOW = 26; // words of a passage
const SUMMARY = 40; // words of a summary
const LISTS = /^(people|topics)$/; // shown only where nothing else was found
const PAUSE = 180; // milliseconds after a key before the index is asked

// Each letter of scripts without spaces is a word of the index; the mark behind one says that no space follows.
const GLUE = "⸱";
const UNSPACED = "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2e80-\\u2fdf\\u3005-\\u3007\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u9fff\\uf900-\\ufaff\\uff66-\\uff9f\\u{20000}-\\u{3ffff}";
const LETTER = new RegExp(`([${UNSPACED}][^\\p{L}\\p{N}_\\s]*)(?=\\S)|([\\p{L}\\p{N}_][^\\p{L}\\p{N}_\\s]*)(?=[${UNSPACED}])`, "gu");
const WHOLE = new RegExp(`^[${UNSPACED}\\p{M}]{2,}$`, "u");

const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

// What the indexer is asked: letters of scripts without spaces apart, and in a row when there is nothing else.
const asked = (words) => {
  const apart = words.replace(LETTER, "$& ");
  return WHOLE.test(words) ? `"${apart}"` : apart;
};

const text = (words) => words.reduce((whole, word) => (word.endsWith(GLUE) ? whole + word.slice(0, -1) : `${whole}${word} `), "").trimEnd();

// Words from one number to another, those at a sought location marked; punctuation around a word is not.
const marked = (words, from, to, sought) => {
  const found = [];
  for (let at = from; at < to; at++) {
    const glued = words[at].endsWith(GLUE);
    const word = glued ? words[at].slice(0, -1) : words[at];
    const space = glued || at + 1 === to ? "" : " ";
    if (!sought.has(at)) {
      found.push(word + space);
      continue;
    }
    const [, before, inner, after] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su.exec(word);
    found.push(before, make("mark", {}, inner || after), (inner ? after : "") + space);
  }
  return found;
};

// The same of a longer text, which tells that it goes on.
const excerpt = (words, { begin, from, to, limit }, sought) => [from > begin ? "… " : "", ...marked(words, from, to, sought), to < limit ? " …" : ""];

// Where each word stands: the places of a page in their order, as `findable.py` wrote them.
const read = (data) => {
  const words = data.content.split(/\s+/);
  const anchors = [...data.anchors].sort((one, other) => one.location - other.location);
  const places = [];
  let chapter = null;
  let section = null;
  for (const { id, element, text: title, location } of anchors) {
    const [, kind, time] = /^(?:@|([ctp])[-=]([\d.]*)|.*)/.exec(id);
    if (element === "h2") chapter = { title, time: +time };
    section = /^(notes|reading|people|topics)$/.test(id) ? id : kind ? null : section;
    const start = /^[ct]$/.test(kind) ? Math.floor(+time) : null;
    // a sentence continues its paragraph
    const paragraph = id.startsWith("t=") && places.length ? places.at(-1).paragraph : location;
    places.push({ id, location, paragraph, chapter, section, time: start, spoken: /^[tp]$/.test(kind), heading: element === "h2" });
  }
  return { words, places, end: words.length };
};

const passages = ({ words, places, end }, weighted) => {
  const byParagraph = new Map();
  for (const { location, balanced_score: score } of weighted) {
    const at = places.findLastIndex((place) => place.location <= location);
    const place = places[at];
    if (!place || place.id.startsWith("@")) continue;
    if (!byParagraph.has(place.paragraph)) byParagraph.set(place.paragraph, []);
    byParagraph.get(place.paragraph).push({ location, score, place });
  }
  const telling = [...byParagraph].filter(([, [hit]]) => !LISTS.test(hit.place.section));
  const all = (telling.length ? telling : [...byParagraph]).map(([paragraph, hits]) => {
    const next = places.find((place) => place.location > paragraph && place.paragraph !== paragraph);
    const limit = next ? next.location : end;
    // the stretch that has most of what was sought
    const worth = (first) => hits.reduce((sum, hit) => (hit.location >= first && hit.location < first + WINDOW - 8 ? sum + hit.score : sum), 0);
    const first = hits.reduce((best, hit) => (worth(hit.location) > worth(best.location) ? hit : best));
    const from = Math.max(paragraph, Math.min(first.location - 6, limit - WINDOW));
    return { ...first, from, to: Math.min(limit, from + WINDOW), begin: paragraph, limit, worth: worth(first.location) };
  });
  // one that has but a small word of a long question says nothing
  const best = Math.max(...all.map((one) => one.worth));
  return all.filter((one) => one.worth > best / 3).sort((one, other) => other.worth - one.worth);
};

// The link to a passage: the moment readies the player, and browsers that know text fragments show the words.
const link = (page, { words }, { place, location, begin, limit }, sought) => {
  const url = new URL(page);
  if (place.heading) url.hash = `t=${place.chapter.time}`;
  else url.hash = place.id;
  if (!place.spoken) return url.href;
  let last = location;
  while (last + 1 < limit && sought.has(last + 1) && last - location < 5) last++;
  const part = (from, to) => encodeURIComponent(text(words.slice(Math.max(from, begin), Math.min(to, limit)))).replaceAll("-", "%2D");
  const before = part(location - 3, location);
  const after = part(last + 1, last + 4);
  return `${url.href}:~:text=${before && `${before}-,`}${part(location, last + 1)}${after && `,-${after}`}`;
};

const setUp = () => {
  const form = document.querySelector("form[data-index]");
  if (!form || "ready" in form.dataset) return;
  form.dataset.ready = "";
  const language = document.documentElement.lang;
  const words = JSON.parse(document.getElementById("search-words").textContent);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" });
  const collator = new Intl.Collator(language, { numeric: true });
  const input = form.elements.q;
  const facets = FACETS.filter((name) => form.elements[name]);
  const [section, browse] = [document.querySelector(".found"), document.querySelector(".browse")];
  const [status, list, further] = ["[role=status]", ".hits", ".further"].map((each) => section.querySelector(each));
  const index = new URL(form.dataset.index, location.href);
  const home = new URL(form.dataset.home, location.href);
  const here = location.pathname;
  let results = [];
  let run = 0;
  let timer = 0;
  let typing = false;

  // Every part once, whoever asks while it is loaded; nothing of it stays where that fails.
  let engine = null;
  const load = async () => {
    const found = await import(new URL("pagefind.js", index));
    try {
      for (let part = 1; part < +form.dataset.parts; part++) await found.mergeIndex(new URL(`${part}/`, index).pathname);
    } catch (error) {
      await found.destroy();
      throw error;
    }
    return found;
  };
  const loaded = () => {
    engine ??= load();
    engine.catch(() => (engine = null));
    return engine;
  };

  const question = () => {
    const chosen = Object.fromEntries(facets.map((name) => [name, form.elements[name].value]).filter(([, value]) => value));
    return { words: input.value.trim(), chosen, sort: form.elements.sort.value };
  };
  const filters = (chosen) => Object.fromEntries(Object.entries(chosen).map(([name, value]) => [name, [value]]));

  // Newest first is the order of each part; parts follow one another, the newest last.
  const search = async (pagefind, { words: sought, chosen, sort }) => {
    const term = sought ? asked(sought) : null;
    if (!sort) return pagefind.search(term, { filters: filters(chosen) });
    const parts = +form.dataset.parts;
    const found = [];
    for (let part = parts - 1; part >= 0; part--) {
      const only = parts > 1 ? { part: [String(part)] } : {};
      found.push(await pagefind.search(term, { filters: { ...filters(chosen), ...only }, sort: { date: "desc" } }));
    }
    return { ...found[0], results: found.flatMap((each) => each.results) };
  };

  // The choices of each facet with the number of results they would give beside the other choices.
  const count = async (pagefind, { words: sought, chosen }) => {
    const all = await pagefind.filters();
    const term = sought ? asked(sought) : null;
    const everything = (await pagefind.search(term, { filters: filters(chosen) })).filters;
    for (const name of facets) {
      const { [name]: own, ...others } = chosen;
      const numbers = (own ? (await pagefind.search(term, { filters: filters(others) })).filters : everything)[name] ?? all[name] ?? {};
      const select = form.elements[name];
      const values = Object.keys(all[name] ?? {}).sort(collator.compare);
      if (name === "year") values.reverse();
      const options = values
        .filter((value) => numbers[value] || value === own)
        .map((value) => make("option", { value, textContent: `${value} (${number(numbers[value] ?? 0)})` }));
      select.replaceChildren(select.options[0], ...options);
      if (own && !values.includes(own)) select.append(make("option", { value: own, textContent: own }));
      select.value = own ?? "";
    }
  };

  const item = (data) => {
    const [kind, day] = (data.anchors.find((anchor) => anchor.id.startsWith("@"))?.id ?? "@page").slice(1).split("|");
    const page = new URL(data.raw_url.replace(/^\/+/, ""), home).href;
    const known = read(data);
    const sought = new Set(data.locations);
    const title = data.meta.title.split(/\s+/); // as in the text, but for the full stop the indexer puts behind it
    const found = passages(known, data.weighted_locations);
    const head = make("h2", {}, make("a", { href: page }, make("bdi", {}, ...marked(title, 0, title.length, sought))));
    const facts = make("p", { className: "facts" }, make("span", {}, day ? dates.format(new Date(day)) : words.kinds[kind] ?? ""));
    const what = make("div", { className: "what" }, head, facts);
    const top = known.places.find((place) => !place.id.startsWith("@"))?.location ?? known.end;
    const inSummary = data.locations.find((at) => at >= title.length && at < top);
    if ((inSummary !== undefined || !found.length) && top > title.length) {
      const from = Math.max(title.length, Math.min((inSummary ?? title.length) - 8, top - SUMMARY));
      const part = { begin: title.length, from, to: Math.min(top, from + SUMMARY), limit: top };
      what.append(make("p", { className: "summary" }, ...excerpt(known.words, part, sought)));
    }
    const parts = (some) => {
      const rows = [];
      let last = null;
      for (const one of [...some].sort((a, b) => a.location - b.location)) {
        const under = one.place.section ? words.places[one.place.section] : one.place.chapter?.title;
        if (under && under !== last && !one.place.heading) rows.push(make("li", { className: "under" }, make("bdi", {}, text(under.split(/\s+/)))));
        last = under;
        const time = one.place.time === null ? [] : [make("span", { className: "time" }, clock(one.place.time)), " "];
        const said = make("bdi", {}, ...excerpt(known.words, one, sought));
        rows.push(make("li", {}, make("a", { href: link(page, known, one, sought) }, ...time, said)));
      }
      return rows;
    };
    if (found.length) {
      const rows = make("ol", { className: "passages" }, ...parts(found.slice(0, PASSAGES)));
      what.append(rows);
      if (found.length > PASSAGES) {
        const more = make("button", { type: "button", textContent: counted(words.passages, found.length - PASSAGES) });
        more.addEventListener("click", () => {
          const focus = rows.querySelectorAll("a").length;
          rows.replaceChildren(...parts(found));
          more.remove();
          rows.querySelectorAll("a")[Math.min(focus, found.length - 1)]?.focus();
        });
        what.append(more);
      }
    }
    const numeral = make("span", { className: "numeral", ariaHidden: "true", textContent: data.meta.number ?? "·" });
    if ((data.meta.number ?? "").length > 4) numeral.classList.add("small");
    return make("li", { className: "row" }, numeral, what);
  };

  const items = async (some) => (await Promise.all(some.map((result) => result.data()))).map(item);

  const say = (...sentences) => (status.textContent = sentences.join(" "));

  const update = async () => {
    const mine = ++run;
    const sought = question();
    const isAsked = sought.words || Object.keys(sought.chosen).length || sought.sort;
    if (!isAsked) {
      say();
      list.replaceChildren();
      further.hidden = true;
      browse.hidden = false;
      if (engine) await count(await engine, sought).catch(() => {});
      return;
    }
    const slow = setTimeout(() => mine === run && say(words.searching), 400);
    section.setAttribute("aria-busy", "true");
    try {
      const pagefind = await loaded();
      const found = await search(pagefind, sought);
      if (mine !== run) return;
      await count(pagefind, sought);
      if (mine !== run) return;
      const first = await items(found.results.slice(0, PAGE));
      if (mine !== run) return;
      results = found.results;
      list.replaceChildren(...first);
      further.hidden = results.length <= PAGE;
      browse.hidden = results.length > 0;
      if (results.length) say(counted(words.results, results.length));
      else say(sought.words ? words.none.replace("{words}", () => sought.words) : words.nothing, words.widen);
    } catch (error) {
      if (mine !== run) return;
      console.warn(error);
      list.replaceChildren();
      further.hidden = true;
      browse.hidden = false;
      say(navigator.onLine ? words.failed : words.offline);
    } finally {
      clearTimeout(slow);
      if (mine === run) section.removeAttribute("aria-busy");
    }
  };

  // The question is the address: one entry of the history for all the keys of a word, one for each choice.
  const note = (isTyping) => {
    const url = new URL(location.href);
    const { words: sought, chosen, sort } = question();
    url.search = new URLSearchParams({ ...(sought && { q: sought }), ...chosen, ...(sort && { sort }) });
    url.hash = "";
    if (url.href === location.href) return;
    history[isTyping && typing ? "replaceState" : "pushState"](history.state, "", url);
    typing = isTyping;
  };
  const recall = () => {
    const known = new URLSearchParams(location.search);
    input.value = known.get("q") ?? "";
    form.elements.sort.value = known.get("sort") === "date" ? "date" : "";
    for (const name of facets) {
      const value = known.get(name) ?? "";
      const select = form.elements[name];
      if (value && ![...select.options].some((option) => option.value === value)) select.append(make("option", { value, textContent: value }));
      select.value = value;
    }
    typing = false;
    return update();
  };

  input.addEventListener("focus", () => loaded().catch(() => {}), { once: true });
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      note(true);
      update();
    }, PAUSE);
  });
  form.addEventListener("change", (event) => {
    if (event.target === input) {
      typing = false;
      return;
    }
    note(false);
    update();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    note(true);
    typing = false;
    update();
  });
  further.addEventListener("click", async () => {
    const mine = run;
    further.hidden = true;
    const next = await items(results.slice(list.children.length, list.children.length + PAGE)).catch(() => []);
    if (mine !== run) return;
    list.append(...next);
    further.hidden = list.children.length >= results.length;
    next[0]?.querySelector("a").focus();
  });

  // Arrows go from the question through what was found, Escape back to the question and then empties it.
  const keys = (event) => {
    if (!form.isConnected) return document.removeEventListener("keydown", keys, true);
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing) return;
    const at = event.target;
    if (event.key === "/" && !at.closest?.("input, select, textarea, [contenteditable]")) {
      event.preventDefault();
      event.stopPropagation();
      input.focus();
      input.select();
    } else if (event.key === "Escape" && (at === input || section.contains(at))) {
      event.stopPropagation();
      if (at !== input) return input.focus();
      if (!input.value) return;
      event.preventDefault();
      input.value = "";
      input.dispatchEvent(new Event("input"));
    } else if (/^Arrow(Up|Down)$/.test(event.key) && (at === input || list.contains(at))) {
      const links = [input, ...list.querySelectorAll("a")];
      const next = links[links.indexOf(at.closest("a, input")) + (event.key === "ArrowDown" ? 1 : -1)];
      if (!next) return;
      event.preventDefault();
      event.stopPropagation();
      next.focus();
    }
  };
  document.addEventListener("keydown", keys, true);
  const back = () => {
    if (!form.isConnected) removeEventListener("popstate", back);
    else if (location.pathname === here) recall();
  };
  addEventListener("popstate", back);
  recall();
  // whoever comes without a question, by the key / for example, is about to type one; on screens without keys it would
  // bring up their keyboard over the list
  if (!location.search && !location.hash && matchMedia("(hover: hover)").matches) input.focus({ preventScroll: true });
};

document.addEventListener("podsite:page", setUp);
setUp();
