// The transcript follows the recording and plays from any sentence, each of which can be linked to. player.js tells the
// time (`podsite:time`) and plays (`podsite:seek`); `podsite:page` says that another page is shown.
let box, parts, starts, current, following, target;
const one = (selector) => box?.querySelector(selector);
const paragraph = (node) => node?.closest?.(".words > p");
const sentence = (node) => node?.closest?.("[id^='t=']") ?? paragraph(node);
const on = (source, types, listen) => types.split(" ").forEach((type) => source?.addEventListener(type, listen, { passive: true }));

const setUp = () => {
  const next = document.querySelector(".transcript");
  if (next === box) return;
  [box, current, target, following] = [next];
  if (!box) return;
  parts = [...box.querySelectorAll(".words > p")];
  starts = parts.map((part) => +part.querySelector("[data-start]")?.dataset.start);
  on(one(".words"), "click", play);
  on(one(".words"), "pointerover focusin", (event) => offer(paragraph(event.target)));
  on(one(".copy button"), "click", copy);
  on(one(".follow"), "click", () => follow(!following));
  on(one("input"), "focus", () => import("./find.js").then(({ setUp }) => setUp(box, parts, show)));
  arrive();
};

const show = (place) => {
  place.closest("details")?.setAttribute("open", "");
  // no gliding over a long way: the heights of paragraphs out of sight are guessed, so it would end elsewhere
  const isFar = Math.abs(place.getBoundingClientRect().top) > 2 * innerHeight;
  place.scrollIntoView({ block: "center", behavior: isFar ? "instant" : "auto" });
};

// The last paragraph that begins by then.
const spokenAt = (time) => {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1];
};

on(document, "podsite:time", ({ detail: { slug, time } }) => {
  if (!box || slug !== (box.closest("[data-episode]")?.dataset.episode ?? slug)) return;
  const part = spokenAt(time + 0.25);
  if (part === current) return;
  current?.removeAttribute("aria-current");
  part?.setAttribute("aria-current", "true");
  current = part;
  if (following && part) show(part);
});

// It scrolls along until somebody scrolls by hand: wheel, finger, scroll bar, keys.
const follow = (wanted) => {
  following = wanted;
  one(".follow").setAttribute("aria-pressed", wanted);
  if (wanted) show(current ?? parts[0]);
};
on(window, "wheel touchmove pointerdown keydown", (event) => {
  const scrolls = { pointerdown: event.target === document.documentElement, keydown: /^(Arrow[UD]|Page|Home|End)/.test(event.key) };
  if (following && !event.defaultPrevented && (scrolls[event.type] ?? true)) follow(false);
});

// A click on words plays them; what is selected is meant to be read.
const play = (event) => {
  const place = sentence(event.target);
  const { detail, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (!place || event.target.closest("a") || detail > 1 || metaKey || ctrlKey || shiftKey || altKey || !getSelection().isCollapsed) return;
  const time = +(place.querySelector("[data-start]")?.dataset.start ?? place.id.slice(2));
  if (time >= 0) document.dispatchEvent(new CustomEvent("podsite:seek", { detail: { time, play: true } }));
  offer(paragraph(place), place);
};

// One button copies the link to the paragraph that has pointer or focus, or to the sentence that was chosen.
const offer = (part, place = part) => {
  if (!part || (place === part && paragraph(target) === part) || one(".copy :focus-visible")) return;
  const offered = one(".copy");
  target = place;
  part.after(offered);
  offered.hidden = false;
  offered.style.top = `${part.offsetTop}px`;
};
on(document, "selectionchange", () => {
  const { isCollapsed, anchorNode } = getSelection();
  const start = anchorNode?.parentElement;
  if (!isCollapsed && box?.contains(start)) offer(paragraph(start), sentence(start));
});
const copy = async () => {
  const { href } = new URL(`#${target.id}`, location.origin + location.pathname);
  const said = one(".copy [role]");
  try {
    await navigator.clipboard.writeText(href);
    said.textContent = said.dataset.copied;
    setTimeout(() => (said.textContent = ""), 2000);
  } catch {
    location.hash = target.id; // no permission: the address bar has it
  }
};

// A link to a sentence leads to the paragraph of that moment, should its cue have moved.
const arrive = () => {
  const id = location.hash.slice(1);
  const place = box && /^t(-\d|=\d+\.)/.test(id) && (document.getElementById(id) ?? spokenAt(parseFloat(id.slice(2))));
  if (place) show(place);
};
on(window, "hashchange", arrive);
on(document, "podsite:page", setUp);
setUp();
