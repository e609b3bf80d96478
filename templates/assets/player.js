// The player: <podsite-player> sets in motion the controls that lie beside a plain <audio> or <video>. What comes with
// the first play is in dock.js, what few ask for in more.js.
import { ROOT, all, clock, fill, isOver, memory, page, remember, spell, words as shared } from "./memory.js";

const words = shared.player;
// `player` is the one in the bar: what was played last; `sleep` the timer.
export const live = { player: null, sleep: { value: "" }, place() {} };
export const on = (types, listen, source = document, capture) => types.split(" ").forEach((type) => source.addEventListener(type, listen, capture));
export const players = (media) => all("podsite-player").filter((each) => each.media && (!media || each.media === media));
export const main = () => document.querySelector("podsite-player[data-main]") ?? document.querySelector("main podsite-player");
const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));

// Addresses as they lead from anywhere: the player goes on to other pages.
export const settle = (root, base = document.baseURI) => {
  for (const each of [root, ...all("[href], [src], [srcset]", root)])
    for (const { name, value } of each.attributes)
      if (/^(href|src|srcset)$/.test(name)) each.setAttribute(name, value.replace(/[^\s,]+(?=\s\d+w)|^[^\s]+$/g, (one) => new URL(one, base)));
  return root;
};

class Player extends HTMLElement {
  connectedCallback() {
    watch.observe(this);
    const own = !this.media && this.querySelector("audio, video");
    if (!own || !this.querySelector(".seek")) return; // a theme without controls keeps the browser's
    settle(own).controls = false;
    if (live.player && this.slug === live.player.slug) {
      this.media = live.player.media;
      own.replaceWith(...(this.media.videoWidth ? [this.media] : []));
    } else {
      this.media = own;
      const { time } = memory().episodes[this.slug] ?? {};
      if (time && !isOver(time, this.duration)) own.currentTime = time;
    }
    this.ready();
  }
  disconnectedCallback() {
    watch.unobserve(this);
  }
  ready() {
    all("[data-do=share]", this).forEach((share) => (share.hidden = !navigator.share));
    this.tune();
    this.draw(true);
  }
  get slug() {
    return this.dataset.episode;
  }
  get link() {
    return this.querySelector(".name");
  }
  get duration() {
    const { duration } = this.media; // unknown before it is loaded, endless for a stream
    return Number.isFinite(duration) ? duration : +this.dataset.duration || 0;
  }
  get chapters() {
    return (this.marks ??= all(".marks [data-start]", this).map((link) => ({ link, start: +link.dataset.start, title: link.querySelector("bdi").textContent })));
  }
  chapter(time = this.media.currentTime) {
    return this.chapters.findLastIndex(({ start }) => start <= time + 0.25);
  }
  by(name) {
    return +this.querySelector(`[data-do=${name}]`).dataset.by;
  }
  put(selector, text = "") {
    for (const each of all(selector, this)) if (each.textContent !== text) each.textContent = text;
  }
  go(time, until = 0) {
    const { media, duration } = this;
    media.until = until;
    media.currentTime = Math.max(0, duration ? Math.min(time, duration) : time);
    live.sleep.chapter = this.chapter();
    this.tell();
    players(media).forEach((each) => each.draw(true));
  }
  skip(seconds) {
    this.go(this.media.currentTime + seconds);
  }
  // to the chapter before or after; back begins the same one again, unless it has just begun
  turn(count) {
    const now = this.chapter();
    const isLate = this.media.currentTime - this.chapters[now]?.start > 3;
    const { start } = this.chapters[count < 0 && isLate ? now : now + count] ?? {};
    if (start >= 0) this.go(start);
  }
  play() {
    this.media.play().catch(({ name }) => name === "NotAllowedError" && say(words.blocked));
  }
  tell() {
    const { slug, duration, media } = this;
    tell("podsite:time", { slug, duration, time: media.currentTime, playing: !media.paused });
  }
  // `aloud`: not for the passing of time, which no screen reader should follow second by second
  draw(aloud) {
    const { media, duration } = this;
    const { paused, buffered } = media;
    const seek = this.querySelector(".seek");
    const time = this.held ?? media.currentTime;
    const chapter = this.chapter(time);
    const part = this.chapters[chapter]?.title;
    let loaded = 0;
    for (let n = 0; n < buffered.length; n++) if (buffered.start(n) <= time) loaded = buffered.end(n);
    if (paused === this.hasAttribute("data-playing") || aloud) {
      this.toggleAttribute("data-playing", !paused);
      this.querySelector(".play").ariaLabel = paused ? words.play : words.pause;
    }
    this.put(".at", clock(time));
    this.put(".total", duration ? clock(duration) : "");
    this.put(".part", part);
    if (aloud || document.activeElement?.dataset.do !== "copy") this.put("[data-do=copy]", fill(words.copy, { time: clock(time) }));
    seek.disabled = !duration;
    seek.max = duration || 1;
    seek.value = time;
    seek.style.setProperty("--at", duration && time / duration);
    seek.style.setProperty("--loaded", duration && loaded / duration);
    if (aloud || paused) {
      const position = duration ? fill(words.position, { time: spell(time), duration: spell(duration) }) : spell(time);
      seek.ariaValueText = part ? fill(words.inChapter, { position, chapter: part }) : position;
    }
    if (this.shown !== `${chapter} ${!time}`) {
      this.shown = `${chapter} ${!time}`;
      for (const link of [...this.chapters.map(({ link }) => link), ...(this === main() ? all(".chapters [data-start]") : [])])
        link.ariaCurrent = time && +link.dataset.start === this.chapters[chapter]?.start ? "true" : null;
    }
    if (this.scale !== duration) {
      this.scale = duration;
      this.querySelector(".ticks").replaceChildren(
        ...this.chapters.filter(({ start }) => start > 0 && start < duration).map(({ start }) => {
          const tick = document.createElement("i");
          tick.style.setProperty("--at", start / duration);
          return tick;
        })
      );
    }
  }
  // as it was set, here or before
  tune() {
    const { media } = this;
    const known = { ...memory(), sleep: live.sleep.value };
    media.defaultPlaybackRate = media.playbackRate = Math.min(3, Math.max(0.5, known.speed));
    media.volume = Math.min(1, known.volume);
    media.muted = known.muted;
    for (const each of all("[data-set]", this)) {
      const value = known[each.dataset.set];
      each.checked = value === true;
      if (each.type !== "checkbox") each.value = value;
      each.style.setProperty("--at", known.muted ? 0 : value);
    }
    this.querySelector("[data-do=mute]").ariaPressed = known.muted;
  }
}

const watch = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) target.seen = isIntersecting;
  live.place();
});

// One voice: the player in sight says what happened, and is silent again.
let clearing;
export const say = (text, isFault = false) => {
  const { player } = live;
  const speaker = player?.checkVisibility() ? player : players(player?.media).find((each) => each !== player) ?? main();
  clearTimeout(clearing);
  for (const each of players()) {
    each.put("[role=status]", each === speaker ? text : "");
    each.querySelector("[data-do=retry]").hidden = each !== speaker || !isFault;
  }
  if (text && !isFault) clearing = setTimeout(say, 5000, "");
};

// Parts that are loaded when they are needed, if there is a line.
const part = (name, use) => import(`./${name}.js`).then(use, () => say(words.offline, true));

// Recordings, the plain ones of a page too: one at a time.
on(
  "play pause playing timeupdate seeked waiting progress canplay durationchange ended error",
  ({ type, target }) => {
    const media = target.localName !== "track" && target.closest?.("audio, video");
    if (!media) return;
    if (type === "play") all("audio, video").forEach((other) => other !== media && other.pause());
    const [face, ...others] = players(media);
    if (!face) return;
    if (type === "play") part("dock", ({ begin }) => media.paused || begin(face));
    if (type === "playing") say("");
    if (type === "error") navigator.onLine ? part("more", ({ fault }) => fault(media)) : say(words.offline, true);
    for (const each of [face, ...others]) {
      if (!/^(timeupdate|progress)$/.test(type)) each.toggleAttribute("data-busy", type === "waiting");
      each.draw(!/^(timeupdate|progress|waiting)$/.test(type));
    }
    if (media.readyState) media.last = media.currentTime;
    if (media.until && media.currentTime >= media.until) media.until = media.pause() ?? 0;
    face.tell();
  },
  document,
  true
);

export const adjust = (change) => {
  remember(change);
  players().forEach((each) => each.tune());
};
export const acts = {
  toggle: (face) => (face.media.paused ? face.play() : face.media.pause()),
  back: (face) => face.skip(-face.by("back")),
  forward: (face) => face.skip(face.by("forward")),
  previous: (face) => face.turn(-1),
  next: (face) => face.turn(1),
  mute: () => adjust((known) => (known.muted = !known.muted)),
  retry(face) {
    const { media } = face;
    const time = media.last ?? media.currentTime;
    say("");
    media.load();
    media.currentTime = time;
    face.play();
  },
  more: (face, button) => (button.ariaExpanded = face.toggleAttribute("data-more")),
};
const act = (name, face, button) => (acts[name] ? acts[name](face, button) : part("more", (more) => more[name](face, button)));

on("click", (event) => {
  const { target } = event;
  const button = target.closest?.("[data-do]");
  const face = button?.closest("podsite-player");
  if (face?.media) return act(button.dataset.do, face, button);
  if (target.localName === "video" && !target.controls) return acts.toggle(players(target)[0]);
  const link = target.closest?.("a[data-start]");
  const slug = link && (link.closest("[data-episode]")?.dataset.episode ?? main()?.slug);
  if (!slug || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { start, end } = link.dataset;
  hear(slug, start === "" ? undefined : +start, +end);
});
on("input change", ({ type, target }) => {
  const face = target.closest("podsite-player");
  const { set } = target.dataset;
  if (!face?.media) return;
  if (target.matches(".seek")) {
    face.held = type === "input" ? +target.value : undefined;
    if (type === "input") face.draw(true);
    else face.go(+target.value);
  } else if (set === "sleep") {
    const { value } = target;
    live.sleep = { value, at: +value && Date.now() + value * 6e4, chapter: face.chapter() };
    adjust(() => {});
  } else if (set) adjust((known) => Object.assign(known, { [set]: target.type === "checkbox" ? target.checked : +target.value }, set === "volume" && { muted: false }));
});
on("focusin", ({ target }) => target.matches(".seek") && target.closest("podsite-player").draw(true));

// A key is nobody's but its owner's: what has the focus, where that knows what to do with it.
on("keydown", (event) => {
  const { key, target, shiftKey } = event;
  const isOwn = target.matches(".seek");
  const isPlain = key === " " || key.startsWith("Arrow");
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
  if (target.closest("select, textarea, audio, [contenteditable], input:not([type=range], [type=checkbox], [type=button])")) return;
  if (isPlain ? !isOwn && target.closest("a, button, input, summary, video[controls], [role]:not([role=group]), [tabindex]:not([tabindex='-1'])") : !memory().keys) return;
  const face = isOwn ? target.closest("podsite-player") : live.player ?? main();
  const ahead = (key === "ArrowRight") !== (page.dir === "rtl") ? 1 : -1;
  const turns = () => (shiftKey ? face.turn(ahead) : face.skip(5 * ahead));
  const does = {
    k: () => acts.toggle(face),
    j: () => acts.back(face),
    l: () => acts.forward(face),
    m: () => act("mute", face),
    "<": () => act("pick", face, -1),
    ">": () => act("pick", face, 1),
    "?": () => act("help", main() ?? face),
    ArrowLeft: turns,
    ArrowRight: turns,
    ...(isOwn && { ArrowUp: () => face.skip(5), ArrowDown: () => face.skip(-5) }),
    ...((face === live.player || face?.seen) && !shiftKey && { " ": () => acts.toggle(face) }),
  };
  const field = key === "/" && document.querySelector("input[type=search], a[href$='search/']");
  if (field) field.href ? field.click() : field.focus();
  else if (face?.media && Object.hasOwn(does, key)) does[key]();
  else return;
  event.preventDefault();
});

// A moment of an episode that is on this page, in the bar, or on a page of its own, which is then read.
const hear = (slug, time, until, isPlayed = true) => {
  const face = [live.player, ...players()].find((each) => each?.slug === slug);
  if (!face && isPlayed) {
    const media = new Audio();
    media.play().catch(() => {}); // while the click still counts as a permission
    media.pause();
    return part("travel", ({ summon }) => summon(slug, media, time, until));
  }
  if (!face) return;
  if (time >= 0) face.go(time, until);
  else if (isOver(face.media.currentTime, face.duration)) face.go(0);
  if (isPlayed) face.play();
};
on("podsite:seek", ({ detail: { slug = main()?.slug, time, play = true } }) => slug && hear(slug, time, 0, play));

// #t=12:34, ?t=754, #t-754 (a paragraph) and #t=10,20 (up to there) get the player ready; nothing plays by itself.
const seconds = (text = "") => text.split(":").reduce((sum, part) => sum * 60 + +part, 0);
const arrive = () => {
  const face = main();
  const found = /^#(?:.*&)?t(?:=(?:npt:)?|-)([\d:.]*)(?:,([\d:.]+))?/.exec(location.hash) ?? /[?&]t=([\d:.]+)(?:,([\d:.]+))?/.exec(location.search);
  const time = found?.[1] ? seconds(found[1]) : -1;
  if (!face?.media || !(time >= 0)) return;
  if (face.media.preload === "none") face.media.preload = "metadata";
  face.go(time, seconds(found[2]));
  // a paragraph shows itself, see transcript.js
  if (!/^#t(-|=\d+\.)/.test(location.hash)) face.scrollIntoView({ block: "nearest" });
};
on("hashchange", arrive, window);
on("podsite:page", arrive);

customElements.define("podsite-player", Player);
const first = () => tell("podsite:page", { first: true });
document.readyState === "complete" ? first() : on("DOMContentLoaded", first);
