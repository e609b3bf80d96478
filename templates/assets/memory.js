// What somebody has heard, kept in this browser only: for each episode its title, page, length, and where they stopped.
// Nothing here trusts what is stored: it may be damaged, of another version, refused or full.
export const ROOT = new URL("..", import.meta.url);
const KEY = `podsite ${ROOT.pathname}`;
const MOST = 200; // episodes kept; those heard last
export const page = document.documentElement;
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
// What is shown in words comes from the page: see partials/words.html.
export const words = { player: {}, ...JSON.parse(document.getElementById("words")?.textContent || "{}") };
export const fill = (text = "", values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

// 754 → 12:34, as the pages write it
export const clock = (time) => {
  const [hours, minutes, seconds] = [time / 3600, (time / 60) % 60, time % 60].map((each) => Math.floor(each));
  const two = (each) => `${each}`.padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
};

// 754 → 12 minutes 34 seconds, in the language of the page
const sizes = { hour: 3600, minute: 60, second: 1 };
export const spell = (time, units = ["hour", "minute", "second"], unitDisplay = "long") => {
  let rest = Math.floor(time);
  const counts = units.map((unit) => {
    const count = Math.floor(rest / sizes[unit]);
    rest -= count * sizes[unit];
    return count;
  });
  const said = units.filter((unit, n) => counts[n] || (n === units.length - 1 && !counts.some(Boolean)));
  return said.map((unit) => new Intl.NumberFormat(page.lang || "en", { style: "unit", unit, unitDisplay }).format(counts[units.indexOf(unit)])).join(" ");
};

const within = (value, least, most, other) => (value >= least && value <= most && typeof value === "number" ? value : other);
const clean = (found) => {
  const { speed, volume, muted, keys, onward, episodes } = Object(found);
  const kept = Object.create(null);
  for (const [slug, each] of Object.entries(Object(episodes))) {
    const { title, address, duration, time, heard, when } = Object(each);
    if (typeof title !== "string" || typeof address !== "string" || !home(address)) continue;
    kept[slug] = { title, address, duration: within(duration, 0, 1e7, 0), time: within(time, 0, 1e7, 0), heard: heard === true, when: within(when, 0, 1e15, 0) };
  }
  return { speed: within(speed, 0.5, 3, 1), volume: within(volume, 0, 1, 1), muted: muted === true, keys: keys !== false, onward: onward === true, episodes: kept };
};
// a page of this site, or nothing
export const home = (address) => {
  const url = URL.canParse(address, ROOT) && new URL(address, ROOT);
  return url && url.href.startsWith(ROOT.href) ? url : null;
};

let kept = clean();
let refused = false;
export const memory = () => {
  try {
    const text = localStorage.getItem(KEY);
    if (text || !refused) kept = clean(JSON.parse(text));
  } catch {} // refused or damaged: what this page knows
  return kept;
};
export const remember = (change) => {
  change(memory());
  const last = Object.entries(kept.episodes).sort((one, other) => other[1].when - one[1].when);
  for (const most of [MOST, MOST / 10]) {
    kept.episodes = Object.assign(Object.create(null), Object.fromEntries(last.slice(0, most)));
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
      refused = false;
      break;
    } catch {
      refused = true; // full, perhaps of what is old
    }
  }
  if (refused) kept.episodes = Object.fromEntries(last);
  show();
};

// Near its end an episode counts as heard, and begins anew.
export const isOver = (time, duration) => duration > 0 && duration - time <= Math.max(duration / 20, Math.min(30, duration / 10));
export const stopped = (slug, facts) =>
  remember(({ episodes }) => {
    const over = isOver(facts.time, facts.duration);
    const heard = over || episodes[slug]?.heard === true;
    episodes[slug] = { ...facts, time: over ? 0 : facts.time, heard, when: Date.now() };
  });

// Rows of lists say how far somebody came; the home page offers to go on.
const left = ({ time, duration }) => {
  const rest = duration - time;
  return fill(words.player.left, { time: rest < 60 ? spell(rest, ["second"], "short") : spell(rest + 30, ["hour", "minute"], "short") });
};
const mark = (row, episode) => {
  const text = !episode ? "" : episode.time && episode.duration ? left(episode) : episode.heard ? words.player.heard : "";
  const facts = row.querySelector(".facts");
  let told = facts?.querySelector(".mark");
  if (!facts || (!told && !text)) return;
  if (!told) facts.append(" ", (told = Object.assign(document.createElement("span"), { className: "mark" })));
  if (told.textContent !== text) told.textContent = text;
  told.hidden = !text;
  row.style.setProperty("--heard", !text ? 0 : episode.time ? episode.time / episode.duration : 1);
};
const show = () => {
  const { episodes } = kept;
  for (const row of all(".row[data-episode]")) mark(row, episodes[row.dataset.episode]);
  const section = document.querySelector("[data-resume]");
  if (!section) return;
  const begun = Object.entries(episodes).filter(([, each]) => each.time > 0).sort((one, other) => other[1].when - one[1].when).slice(0, 3);
  const list = section.querySelector("ol");
  section.hidden = !begun.length;
  const same = begun.map(([slug]) => slug).join() === all("li", list).map((row) => row.dataset.episode).join();
  if (!same)
    list.replaceChildren(
      ...begun.map(([slug, each]) => {
        const row = section.querySelector("template").content.firstElementChild.cloneNode(true);
        const [title, go] = all("a", row);
        row.dataset.episode = slug;
        title.textContent = each.title;
        title.href = go.href = home(each.address).href;
        return row;
      })
    );
  begun.forEach(([slug, each], number) => {
    const row = list.children[number];
    const go = row.querySelector("a[data-start]");
    const text = fill(words.player.resume, { time: clock(each.time) });
    if (go.textContent !== text) go.textContent = text;
    go.href = `${home(each.address)}#t=${Math.floor(each.time)}`;
    mark(row, each);
  });
};
export const forget = (slug) => remember(({ episodes }) => (slug ? delete episodes[slug] : Object.keys(episodes).forEach((each) => delete episodes[each])));

addEventListener("storage", (event) => event.key === KEY && (memory(), show()));
document.addEventListener("podsite:page", () => (memory(), show()));
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-forget]");
  if (button) forget(button.closest("[data-episode]")?.dataset.episode);
});
