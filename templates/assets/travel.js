// Other pages of the site, while something is loaded: swapped in above the bar, or read for their recording. What is odd
// (an error, no page, other scripts or styles than here, code of its own) is left to the browser.
import { ROOT, all, memory, page } from "./memory.js";
import { bar, begin } from "./dock.js";
import { live, settle } from "./player.js";

// As a document whose links are complete.
const read = async (address, signal) => {
  const answer = await fetch(address, { signal });
  if (!answer.ok || !/^text\/html/.test(answer.headers.get("Content-Type"))) throw answer;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  found.head.prepend(Object.assign(found.createElement("base"), { href: answer.url }));
  return found;
};

// An episode that is not on this page.
export const summon = async (slug, media, time, until) => {
  const address = new URL(`episodes/${slug}/`, ROOT).href;
  try {
    const found = await read(address);
    const face = document.importNode(settle(found.querySelector("podsite-player[data-main]"), found.baseURI), true);
    const own = face.querySelector("audio, video");
    own.controls = false;
    face.media = own.localName === "video" ? own : Object.assign(media, { src: own.src });
    begin(face);
    live.player.go(time ?? memory().episodes[slug]?.time ?? 0, until);
    live.player.play();
  } catch {
    location.assign(address + (time ? `#t=${time}` : ""));
  }
};

const assets = (found) => all("link[rel=stylesheet], script[src]", found).map((each) => each.href || each.src);
const code = (found) => all("script:not([src]):not([type]), script[type=module]:not([src]), script[src]:not([type=module])", found).map((each) => each.src || each.text);
const stem = (address) => address.replace(/[?#].*|[.-][0-9a-f]{6,}(?=\.)/g, "");
const known = new Set(assets(document));
const ran = new Set(code(document));
const fits = (found) =>
  !found.querySelector("[data-no-swap], meta[http-equiv=refresh]") &&
  code(found).every((each) => ran.has(each)) &&
  assets(found).every((address) => known.has(address) || ![...known].some((each) => stem(each) === stem(address)));

export const travel = async (href, event) => {
  const found = await read(href, event.signal);
  if (!fits(found)) throw found;
  const added = assets(found).filter((address) => !known.has(address));
  const isAdded = (each) => added.includes(each.href || each.src);
  added.forEach((address) => known.add(address));
  await Promise.all(
    all("link[rel=stylesheet]", found).filter(isAdded).map(({ href }) => new Promise((done) => {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done, onerror: done }));
    }))
  );
  const update = () => {
    const { media } = live.player;
    if (!bar.contains(media)) bar.moveBefore ? bar.moveBefore(media, null) : bar.append(media);
    document.querySelector("base").remove();
    page.lang = found.documentElement.lang;
    page.dir = found.documentElement.dir;
    live.title = document.title = found.title;
    const facts = "link:not([rel=stylesheet]), meta, script[type='application/ld+json']";
    all(facts, document.head).forEach((each) => each.remove());
    document.head.append(...all(facts, found.head).map((each) => document.importNode(each, true)));
    const goes = (each) => each !== bar && !each.matches("script:not([type='application/json'])");
    const old = [...document.body.children].filter(goes);
    document.body.prepend(...[...found.body.children].filter(goes).map((each) => document.importNode(each, true)));
    old.forEach((each) => each.remove());
    document.body.className = found.body.className;
    const goal = document.querySelector("main h1") ?? document.querySelector("main");
    goal.tabIndex = -1;
    goal.focus({ preventScroll: true });
    page.style.scrollBehavior = "auto";
    event.scroll();
    page.style.scrollBehavior = "";
  };
  const isStill = !document.startViewTransition || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  await (isStill ? update() : document.startViewTransition(update).updateCallbackDone);
  await Promise.all(all("script[type=module][src]", found).filter(isAdded).map(({ src }) => import(src)));
  document.dispatchEvent(new CustomEvent("podsite:page", { detail: { first: false } }));
};
