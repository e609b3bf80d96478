// What somebody has heard, kept in this browser only: of each episode its title, page, length, and where they stopped.
export const ROOT = new URL("..", import.meta.url);
export const KEY = `podsite ${ROOT.pathname}`;
export const page = document.documentElement;
export const all = (selector, within = document) => [...within.querySelectorAll(selector)];
// What is shown in words comes from the page: see partials/words.html.
export const words = { player: {}, ...JSON.parse(document.getElementById("words")?.textContent || "{}") };
export const fill = (text = "", values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

// 754 → 12:34
export const clock = (time) => {
  const two = (each) => `${Math.floor(each % 60)}`.padStart(2, "0");
  return time < 3600 ? `${Math.floor(time / 60)}:${two(time)}` : `${Math.floor(time / 3600)}:${two(time / 60)}:${two(time)}`;
};
// 754 → 12 minutes 34 seconds, in the language of the page
export const spell = (time, sizes = { hour: 3600, minute: 60, second: 1 }, unitDisplay = "long") => {
  const said = Object.entries(sizes).map(([unit, size]) => {
    const count = Math.floor(time / size);
    time -= count * size;
    return [count, new Intl.NumberFormat(page.lang || "en", { style: "unit", unit, unitDisplay }).format(count)];
  });
  const told = said.filter(([count]) => count);
  return (told.length ? told : said.slice(-1)).map(([, text]) => text).join(" ");
};
// What is left of an episode or a path, roughly.
export const left = (rest) => (rest < 60 ? spell(rest, { second: 1 }, "short") : spell(rest + 30, { hour: 3600, minute: 60 }, "short"));

// A page of this site, or nothing.
export const home = (address) => {
  const url = URL.canParse(address, ROOT) && new URL(address, ROOT);
  return url && url.href.startsWith(ROOT.href) && url.href;
};
// What is stored may be damaged, of another version, refused or full.
const like = (found, usual) =>
  Object.fromEntries(Object.entries(usual).map(([name, value]) => {
    const given = found?.[name];
    return [name, typeof given !== typeof value || given < 0 || given > 1e15 ? value : given];
  }));
const read = (text) => {
  const found = JSON.parse(text);
  const episodes = Object.entries(found?.episodes ?? {}).map(([slug, each]) => [slug, like(each, { title: "", address: "", duration: 0, time: 0, heard: false, when: 0 })]);
  return {
    ...like(found, { speed: 1, volume: 1, muted: false, keys: true, onward: false }),
    episodes: Object.fromEntries(episodes.filter(([, { title, address, time, duration }]) => title && home(address) && (!duration || time < duration))),
  };
};
let kept = read("{}");
let stored = true;
export const memory = () => {
  try {
    if (stored) kept = read(localStorage.getItem(KEY));
  } catch {}
  return kept;
};
export const remember = (change) => {
  change(memory());
  const last = Object.entries(kept.episodes).sort(([, one], [, other]) => other.when - one.when);
  stored = [200, 20].some((most) => {
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...kept, episodes: Object.fromEntries(last.slice(0, most)) }));
      return true;
    } catch {}
  });
  document.dispatchEvent(new Event("podsite:heard"));
};
// Near its end an episode counts as heard, and begins anew.
export const isOver = (time, duration) => duration > 0 && duration - time <= Math.max(duration / 20, Math.min(30, duration / 10));
