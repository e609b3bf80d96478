// Listening paths: how far somebody came, from what this browser remembers; what was heard elsewhere can be ticked off.
import { KEY, ROOT, all, fill, left, memory, remember } from "./memory.js";
import { number } from "./numbers.js";

const tell = () => {
  const place = document.getElementById("path-words");
  if (!place) return;
  const words = JSON.parse(place.textContent);
  const { episodes } = memory();
  const heard = (slug) => episodes[slug]?.heard === true;
  for (const path of all("main [data-path]")) {
    const slugs = path.dataset.path.split(" ").filter(Boolean);
    const done = slugs.filter(heard).length;
    const told = path.querySelector(".progress");
    const parts = [fill(words.heard, { heard: number(done), all: number(slugs.length) })];
    const stops = all("[data-duration]", path);
    const rest = stops.filter((stop) => !heard(stop.dataset.episode)).reduce((sum, stop) => sum + Number(stop.dataset.duration), 0);
    if (rest >= 60 && done) parts.push(fill(words.left, { time: left(rest) }));
    const text = done === slugs.length ? words.all : done ? parts.join(" · ") : "";
    told.hidden = !done;
    if (told.firstElementChild.textContent !== text) told.firstElementChild.textContent = text;
    const next = done ? stops.find((stop) => !heard(stop.dataset.episode))?.querySelector("h2 a") : null;
    const link = told.querySelector("a");
    if (link) {
      link.hidden = !next;
      link.textContent = next ? fill(words.next, { title: next.textContent }) : "";
      if (next) link.href = next.href;
    }
    for (const stop of stops) {
      const tick = stop.querySelector(".tick");
      tick.hidden = false;
      tick.querySelector("input").checked = heard(stop.dataset.episode);
    }
  }
};

document.addEventListener("change", ({ target }) => {
  const stop = target.closest?.(".tick")?.closest("[data-duration]");
  if (!stop) return;
  const { href, textContent } = stop.querySelector("h2 a");
  const slug = stop.dataset.episode;
  remember(({ episodes }) => {
    const known = episodes[slug] ?? { title: textContent, address: href.slice(ROOT.href.length), duration: Number(stop.dataset.duration), time: 0 };
    episodes[slug] = { ...known, heard: target.checked, when: Date.now() };
  });
});
tell();
for (const event of ["podsite:page", "podsite:heard"]) document.addEventListener(event, tell);
addEventListener("storage", ({ key }) => key === KEY && tell());
