// The filter of reading lists: hides what has not all the words, the kind and the topic that are asked for. What is asked
// for stands in the address, so that a filtered list can be linked to. Of a long list the rest is fetched from its
// other pages once somebody asks for something.
import { counted } from "./numbers.js";

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function setUp() {
  const form = document.querySelector("main form.filter");
  if (!form || !form.hidden) return;
  const words = JSON.parse(document.getElementById("filter-words").textContent);
  const shelves = [...document.querySelectorAll("main .shelf[data-kind]")];
  const read = (item, isMore = false) => ({
    item,
    isMore,
    text: plain(item.textContent),
    topics: item.dataset.topics.split(" "),
    kind: item.closest("[data-kind]")?.dataset.kind,
  });
  const items = [...document.querySelectorAll("main .readings > li")].map((item) => read(item));
  const fields = [...form.elements].filter((field) => field.name);
  const asked = (name) => form.elements[name]?.value ?? "";

  const sources = ["main .shelf[data-kind] .onward a", "main .pager [rel=next]", "main .pager [rel=prev]"]
    .flatMap((links) => [...document.querySelectorAll(links)])
    .map((link) => [(link.closest("[data-kind]") ?? document).querySelector(".readings"), link.href, link.rel || "next"]);
  let isWhole = !sources.length;
  let fetching = isWhole;
  const fetchRest = async () => {
    for (let [list, address, rel] of sources) {
      const known = new Set([...list.querySelectorAll(".work a")].map((link) => link.href));
      while (address && list.isConnected) {
        const answer = await fetch(address);
        if (!answer.ok) return;
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        for (const link of page.querySelectorAll("main a[href]")) link.href = new URL(link.getAttribute("href"), address).href;
        for (const found of page.querySelectorAll("main .readings > li")) {
          if (known.has(found.querySelector(".work a").href)) continue;
          const item = document.importNode(found, true);
          item.hidden = true;
          list.append(item);
          items.push(read(item, true));
        }
        address = page.querySelector(`main .pager [rel=${rel}]`)?.href;
        filter();
      }
    }
    isWhole = true;
  };

  const filter = () => {
    const wanted = plain(asked("q")).split(/\s+/).filter(Boolean);
    const kind = asked("kind");
    const topic = asked("topic");
    const all = !wanted.length && !kind && !topic;
    if (!all && !fetching) fetching = fetchRest().catch(() => {}).then(filter);
    let shown = 0;
    for (const one of items) {
      const fits = wanted.every((word) => one.text.includes(word));
      one.item.hidden = all ? one.isMore : !fits || (kind && one.kind !== kind) || (topic && !one.topics.includes(topic));
      shown += !one.item.hidden;
    }
    for (const shelf of shelves) {
      shelf.querySelector(".onward")?.toggleAttribute("hidden", !all && isWhole);
      shelf.hidden = !shelf.querySelector(".readings > li:not([hidden]), .onward:not([hidden])");
    }
    form.querySelector("output").textContent = all ? "" : counted(words.shown, shown);
    form.querySelector(".none").hidden = shown > 0 || !isWhole;
    const query = new URLSearchParams(fields.filter((field) => field.value).map((field) => [field.name, field.value]));
    history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  };

  for (const [name, value] of new URLSearchParams(location.search)) if (form.elements[name]) form.elements[name].value = value;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    setTimeout(filter); // when the fields are empty
    form.elements.q.focus();
  });
  form.hidden = false;
  if (fields.some((field) => field.value)) filter();
}

setUp();
document.addEventListener("podsite:page", setUp);
