// While a recording is loaded, pages of the site are swapped in below it, where the browser has the Navigation API.
// Whatever is odd (another site, a file, a form that sends, an error, other versions of scripts) is left to the browser.
import { ROOT, all, page } from "./memory.js";
import { dock, read, rescue } from "./player.js";

const assets = (found) => all("link[rel=stylesheet], script[src]", found).map((each) => each.href || each.src);
const stem = (address) => address.replace(/[?#].*/, "").replace(/[.-][0-9a-f]{6,}(?=\.)/, "");
const inline = (found) => all("script:not([src]):not([type]), script[type=module]:not([src])", found).map((each) => each.textContent);
const known = new Set(assets(document));
const ran = new Set(inline(document));

// Whether it is made of the same scripts and styles as this page, or of more of them.
const fits = (found) =>
  !found.querySelector("[data-no-swap], meta[http-equiv=refresh]") &&
  assets(found).every((address) => known.has(address) || ![...known].some((each) => stem(each) === stem(address))) &&
  inline(found).every((text) => ran.has(text)) &&
  all("script[src]:not([type=module])", found).every((script) => known.has(script.src));

const swap = async (found, event) => {
  const bar = rescue();
  const added = assets(found).filter((address) => !known.has(address));
  added.forEach((address) => known.add(address));
  await Promise.all(
    all("link[rel=stylesheet]", found).filter(({ href }) => added.includes(href)).map(({ href }) => new Promise((done) => {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href, onload: done, onerror: done }));
    }))
  );
  const update = () => {
    document.querySelector("base[data-from]")?.remove();
    page.lang = found.documentElement.lang;
    page.dir = found.documentElement.dir;
    document.title = found.title;
    const facts = "link:not([rel=stylesheet]), meta, script[type='application/ld+json']";
    all(facts, document.head).forEach((each) => each.remove());
    document.head.append(...all(facts, found.head).map((each) => document.importNode(each, true)));
    const kept = (each) => each === bar || each.matches("script:not([type='application/json'])");
    const old = [...document.body.children].filter((each) => !kept(each));
    document.body.prepend(...[...found.body.children].filter((each) => !kept(each)).map((each) => document.importNode(each, true)));
    old.forEach((each) => each.remove());
    document.body.className = found.body.className;
    const goal = document.querySelector("main h1") ?? document.querySelector("main");
    goal.tabIndex = -1;
    goal.focus({ preventScroll: true });
    page.style.scrollBehavior = "auto";
    event.scroll();
    page.style.scrollBehavior = "";
  };
  const still = !document.startViewTransition || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  await (still ? update() : document.startViewTransition(update).updateCallbackDone);
  await Promise.all(all("script[type=module][src]", found).filter(({ src }) => added.includes(src)).map(({ src }) => import(src)));
  document.dispatchEvent(new CustomEvent("podsite:page", { detail: { first: false } }));
};

window.navigation?.addEventListener("navigate", (event) => {
  const { destination, navigationType } = event;
  const to = new URL(destination.url);
  const made = destination.sameDocument && navigationType !== "traverse"; // a script's own pushState
  if (!dock || !event.canIntercept || event.hashChange || made || event.downloadRequest !== null || event.formData || navigationType === "reload") return;
  if (!to.href.startsWith(ROOT.href) || !/(\/|\.html?)$/.test(to.pathname) || document.querySelector("[data-no-swap]")) return;
  const base = document.baseURI;
  event.intercept({
    focusReset: "manual",
    scroll: "manual",
    async handler() {
      // the address is the new page's already; until that is here, links of this one still lead where they led
      if (!document.querySelector("base")) document.head.prepend(Object.assign(document.createElement("base"), { href: base }));
      document.querySelector("base").dataset.from = "";
      try {
        const found = await read(to, event.signal);
        if (!fits(found)) throw new Error("odd");
        await swap(found, event);
      } catch (error) {
        if (!event.signal.aborted) location.reload();
      }
    },
  });
});
