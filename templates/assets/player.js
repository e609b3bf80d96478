// The player: <podsite-player> sets the controls in motion that lie beside a plain <audio> or <video>. What was played
// last stays in a bar at the foot of the window (the dock), which travel.js keeps while one browses the site.
import { ROOT, all, clock, fill, forget, home, isOver, memory, page, remember, spell, stopped, words as shared } from "./memory.js";

const words = shared.player;
export let dock = null; // the player in the bar; its recording is the one that keys control
const bar = Object.assign(document.createElement("section"), { className: "dock", hidden: true, ariaLabel: words.name });
const seen = new Set(); // players in the window
const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3];
const STEP = 5; // seconds of an arrow key
const isRtl = () => page.dir === "rtl";
const players = (media) => all("podsite-player").filter((each) => each.media && (!media || each.media === media));
const main = () => document.querySelector("podsite-player[data-main]") ?? document.querySelector("main podsite-player");
const current = () => dock ?? main();
const put = (element, text) => element && element.textContent !== text && (element.textContent = text);

// Links of a page as they lead from anywhere: the player goes on to other pages.
const settle = (root, base = document.baseURI) => {
  for (const each of [root, ...all("[href], [src], [srcset]", root)]) {
    for (const name of ["href", "src"]) if (each.hasAttribute(name)) each.setAttribute(name, new URL(each.getAttribute(name), base));
    if (each.srcset) each.srcset = each.srcset.replace(/[^\s,]+(?=\s+\d+w)/g, (one) => new URL(one, base));
  }
  return root;
};

class Player extends HTMLElement {
  connectedCallback() {
    watch.observe(this);
    const own = !this.media && this.querySelector("audio, video");
    if (!own || !this.querySelector(".seek")) return; // a theme of its own keeps the plain player
    settle(own);
    own.controls = false;
    if (dock && this.slug && dock.slug === this.slug) {
      this.media = dock.media;
      own.replaceWith(...(this.media.localName === "video" ? [this.media] : []));
    } else {
      this.media = own;
      const { time } = memory().episodes[this.slug] ?? {};
      if (time) own.currentTime = time;
    }
    this.ready();
  }
  disconnectedCallback() {
    watch.unobserve(this);
    seen.delete(this);
  }
  ready() {
    for (const share of all("[data-do=share]", this)) share.hidden = !navigator.share;
    this.tune();
    this.draw(true);
  }
  get slug() {
    return this.dataset.episode;
  }
  get title() {
    return this.querySelector(".name").textContent;
  }
  get address() {
    return this.querySelector(".name").href;
  }
  get duration() {
    const { duration } = this.media; // unknown before it is loaded, endless for a stream
    return Number.isFinite(duration) ? duration : +this.dataset.duration || 0;
  }
  get chapters() {
    return (this.marks ??= all(".marks a[data-start]", this).map((link) => ({ start: +link.dataset.start, title: link.querySelector("bdi").textContent, link })));
  }
  chapter(time = this.media.currentTime) {
    return this.chapters.findLastIndex(({ start }) => start <= time + 0.25);
  }
  moment(time) {
    const { duration } = this;
    const position = duration ? fill(words.position, { time: spell(time), duration: spell(duration) }) : spell(time);
    const chapter = this.chapters[this.chapter(time)]?.title;
    return chapter ? fill(words.inChapter, { position, chapter }) : position;
  }
  go(time, until = 0) {
    const { media, duration } = this;
    media.until = until;
    media.currentTime = Math.max(0, duration ? Math.min(time, duration) : time);
    if (sleep.value === "chapter") sleep.chapter = this.chapter();
    told(this);
    players(media).forEach((each) => each.draw(true));
  }
  play() {
    this.media.play().catch(({ name }) => name === "NotAllowedError" && say(words.blocked));
  }
  // `aloud`: not for the passing of time, which no screen reader should follow second by second
  draw(aloud) {
    const { media, duration } = this;
    const seek = this.querySelector(".seek");
    const time = this.held ?? media.currentTime;
    const { paused } = media;
    const ranges = [...Array(media.buffered.length).keys()].map((n) => media.buffered.end(n));
    const toggle = this.querySelector("[data-do=toggle]");
    const label = paused ? words.play : words.pause;
    if (toggle.ariaLabel !== label) toggle.ariaLabel = label;
    this.toggleAttribute("data-playing", !paused);
    put(this.querySelector(".at"), clock(time));
    put(this.querySelector(".total"), duration ? clock(duration) : "");
    seek.disabled = !duration;
    seek.max = duration || 1;
    seek.value = time;
    seek.style.setProperty("--at", duration ? Math.min(1, time / duration) : 0);
    seek.style.setProperty("--loaded", duration ? Math.min(1, (ranges.find((end) => end >= time) ?? 0) / duration) : 0);
    if (aloud || paused) seek.ariaValueText = this.moment(time);
    const chapter = this.chapter(time);
    if (chapter !== this.shown) {
      this.shown = chapter;
      all(".part", this).forEach((part) => put(part, this.chapters[chapter]?.title ?? ""));
      const links = [...this.chapters.map(({ link }) => link), ...(this === main() ? all(".chapters a[data-start]") : [])];
      const start = time > 0 && this.chapters[chapter]?.start;
      links.forEach((link) => (link.ariaCurrent = +link.dataset.start === start ? "true" : null));
      if (this === dock) session();
    }
    const copy = this.querySelector("[data-do=copy]");
    if (copy !== document.activeElement || aloud) put(copy, fill(words.copy, { time: clock(time) }));
    if (duration && this.scale !== duration) {
      this.scale = duration;
      const inside = this.chapters.filter(({ start }) => start > 0 && start < duration);
      this.querySelector(".ticks").replaceChildren(
        ...inside.map(({ start }) => {
          const tick = document.createElement("i");
          tick.style.setProperty("--at", start / duration);
          return tick;
        })
      );
    }
  }
  tune() {
    const { speed, volume, muted, keys, onward } = memory();
    const { media } = this;
    media.defaultPlaybackRate = media.playbackRate = speed;
    media.volume = volume;
    media.muted = muted;
    for (const each of all("[data-set]", this)) {
      const name = each.dataset.set;
      if (each.type === "checkbox") each.checked = { keys, onward }[name];
      else each.value = { speed, volume: muted ? 0 : volume, sleep: sleep.value }[name];
      each.style.setProperty("--at", each.value);
    }
    all("[data-do=mute]", this).forEach((each) => (each.ariaPressed = `${muted}`));
  }
}

// The bar is there while a recording is loaded whose player on the page is out of sight.
const place = () => {
  const shown = dock && (bar.contains(document.activeElement) || !players(dock.media).some((each) => each !== dock && seen.has(each)));
  bar.hidden = !shown;
  page.classList.toggle("docked", !!shown);
};
const watch = new IntersectionObserver((changes) => {
  for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target);
  place();
});

// What begins to play is what the bar holds; everything else, in other tabs too, falls silent.
const me = Math.random();
let channel;
const begin = (face) => {
  const { media } = face;
  try {
    channel ??= Object.assign(new BroadcastChannel(`podsite ${ROOT.pathname}`), { onmessage: ({ data }) => data !== me && dock?.media.pause() });
    channel.postMessage(me);
  } catch {}
  if (dock?.media === media) return session();
  if (dock) keep();
  const focused = bar.contains(document.activeElement) && document.activeElement.dataset.do;
  dock = face.cloneNode(true);
  all("audio, video", dock).forEach((each) => each.remove());
  settle(dock, face.baseURI);
  dock.removeAttribute("class");
  dock.removeAttribute("data-main");
  dock.querySelector("dialog").open = false;
  dock.media = media;
  bar.replaceChildren(dock, ...(media.isConnected && !bar.contains(media) ? [] : [media]));
  if (!bar.isConnected) document.body.append(bar);
  dock.ready();
  if (focused) dock.querySelector(`[data-do=${focused}]`)?.focus();
  place();
  session();
  import("./travel.js");
};
const end = () => {
  const { media } = dock;
  media.pause();
  keep();
  players(media).find((each) => each !== dock)?.append(...(bar.contains(media) ? [media] : []));
  dock = null;
  bar.replaceChildren();
  place();
  main()?.querySelector("[data-do=toggle]").focus({ preventScroll: true });
};
// before the page it lies on goes
export const rescue = () => {
  if (dock && !bar.contains(dock.media)) bar.moveBefore ? bar.moveBefore(dock.media, null) : bar.append(dock.media);
  return bar;
};

let noted = 0;
const keep = () => {
  if (!dock?.slug || !dock.media.played.length) return;
  noted = dock.media.currentTime;
  stopped(dock.slug, { title: dock.title, address: home(dock.address)?.href.slice(ROOT.href.length) ?? "", duration: dock.duration, time: dock.media.ended ? dock.duration : noted });
};
addEventListener("pagehide", keep);

const told = (face) => {
  const { media, slug, duration } = face;
  document.dispatchEvent(new CustomEvent("podsite:time", { detail: { slug, time: media.currentTime, duration, playing: !media.paused } }));
};

// One voice: the player that is in sight says what happened, politely, and is silent again.
let clearing;
const say = (text, retry = false) => {
  const speaker = dock && !bar.hidden ? dock : (players(dock?.media).find((each) => each !== dock) ?? main());
  clearTimeout(clearing);
  for (const each of players()) {
    put(each.querySelector("[role=status]"), each === speaker ? text : "");
    each.querySelector("[data-do=retry]").hidden = each !== speaker || !retry;
  }
  if (text && !retry) clearing = setTimeout(say, 5000, "");
};
const fault = async (media) => {
  const src = media.currentSrc || media.src || media.querySelector("source")?.src;
  const status = navigator.onLine ? await fetch(src, { method: "HEAD" }).then((answer) => answer.status, () => 0) : -1;
  say(status < 0 ? words.offline : status > 399 ? fill(words.missing, { status }) : status ? words.unsupported : words.broken, true);
};

let sleep = { value: "" };
const asleep = (face) => {
  const { value, at, chapter } = sleep;
  if (!value || (at ? Date.now() < at : value !== "chapter" || face.chapter() === chapter)) return;
  sleep = { value: "" };
  face.media.pause();
  players().forEach((each) => each.tune());
  say(words.slept);
};

const on = {
  play: ([face]) => begin(face),
  pause: () => keep(),
  timeupdate([face]) {
    const { media } = face;
    if (media.readyState) media.last = media.currentTime;
    if (media.until && media.currentTime >= media.until) {
      media.pause();
      media.until = 0;
    }
    if (media.paused) return;
    asleep(face);
    if (Math.abs(media.currentTime - noted) > 5) keep();
  },
  playing: () => say(""),
  ended([face]) {
    keep();
    const after = dock?.querySelector("a.other[rel=next]");
    if (sleep.value === "episode") {
      sleep = { value: "" };
      players().forEach((each) => each.tune());
    } else if (memory().onward && after) after.click();
  },
  error: ([face]) => fault(face.media),
  seeked: position,
  durationchange: position,
  ratechange: position,
  waiting() {}, progress() {}, canplay() {}, emptied() {},
};
for (const type of Object.keys(on))
  document.addEventListener(
    type,
    ({ target }) => {
      const media = target.localName !== "track" && target.closest?.("audio, video");
      const faces = media ? players(media) : [];
      if (type === "play" && media) all("audio, video").forEach((other) => other !== media && other.pause());
      if (!faces.length) return;
      if (type === "waiting" || type === "canplay" || type === "playing" || type === "error" || type === "pause")
        faces.forEach((each) => each.toggleAttribute("data-busy", type === "waiting"));
      on[type](faces);
      players(media).forEach((each) => each.draw(/^(play|pause|seeked|loadedmetadata|durationchange)$/.test(type)));
      if (/timeupdate|seeked|play|pause|ended/.test(type)) told(faces[0]);
      entitle();
    },
    true
  );

// The chapter stands in the title of the episode's page while that is what is heard.
let title = document.title;
const entitle = () => {
  const own = main();
  const chapter = own && dock?.media === own.media && !own.media.paused && own.chapters[own.chapter()]?.title;
  const wanted = chapter ? `${chapter} · ${title}` : title;
  if (document.title !== wanted) document.title = wanted;
};

// What the system shows and its keys do.
function position() {
  if (!dock) return;
  const { media, duration } = dock;
  try {
    navigator.mediaSession.setPositionState({ duration, playbackRate: media.playbackRate, position: Math.min(media.currentTime, duration) });
  } catch {}
}
const session = () => {
  const { mediaSession } = navigator;
  if (!mediaSession || !dock) return;
  const picture = dock.chapters[dock.chapter()]?.link.parentElement.querySelector("img") ?? dock.querySelector(".now img");
  const artwork = [...(picture?.srcset ?? "").matchAll(/(\S+) (\d+)w/g)].map(([, src, width]) => ({ src, sizes: `${width}x${width}` }));
  const chapter = dock.chapters[dock.chapter()]?.title;
  mediaSession.metadata = new MediaMetadata({ title: dock.title, artist: chapter ?? dock.dataset.author, album: dock.dataset.show, artwork });
  const link = (rel) => dock.querySelector(`a.other[rel=${rel}]`);
  const does = {
    play: () => dock.play(),
    pause: () => dock.media.pause(),
    stop: end,
    seekbackward: ({ seekOffset }) => skip(dock, -(seekOffset || by(dock, "back"))),
    seekforward: ({ seekOffset }) => skip(dock, seekOffset || by(dock, "forward")),
    seekto: ({ seekTime }) => dock.go(seekTime),
    previoustrack: link("prev") && (() => link("prev").click()),
    nexttrack: link("next") && (() => link("next").click()),
  };
  for (const [action, act] of Object.entries(does))
    try {
      mediaSession.setActionHandler(action, act);
    } catch {} // an action this browser does not know
  position();
};

const by = (face, name) => +face.querySelector(`[data-do=${name}]`).dataset.by;
const skip = (face, seconds) => face.go(face.media.currentTime + seconds);
const turn = (face, count) => {
  const { chapters } = face;
  const now = face.chapter();
  // back begins the chapter again, unless it has just begun
  const next = count < 0 && face.media.currentTime - chapters[now]?.start > 3 ? now : now + count;
  if (chapters[next]) face.go(chapters[next].start);
};
const adjust = (change) => {
  remember(change);
  players().forEach((each) => each.tune());
};
const linkTo = (face) => {
  const time = Math.floor(face.media.currentTime);
  return `${face.address.split("#")[0]}${time ? `#t=${clock(time)}` : ""}`;
};
const acts = {
  toggle: (face) => (face.media.paused ? face.play() : face.media.pause()),
  back: (face) => skip(face, -by(face, "back")),
  forward: (face) => skip(face, by(face, "forward")),
  previous: (face) => turn(face, -1),
  next: (face) => turn(face, 1),
  mute() {
    adjust((known) => (known.muted = !known.muted));
    say(memory().muted ? words.muted : words.unmuted);
  },
  async copy(face, button) {
    const link = linkTo(face);
    try {
      await navigator.clipboard.writeText(link);
      say(shared.copied);
    } catch {
      say(link); // not allowed: to be copied by hand
      getSelection().selectAllChildren(button.closest("podsite-player").querySelector("[role=status]"));
    }
  },
  share: (face) => navigator.share({ title: face.title, url: linkTo(face) }).catch(() => {}),
  more(face, button) {
    button.ariaExpanded = `${face.toggleAttribute("data-more")}`;
  },
  close: end,
  retry({ media }) {
    const time = media.last ?? media.currentTime;
    say("");
    media.load();
    media.currentTime = time;
    media.play().catch(() => {});
  },
  captions({ media }, button) {
    const track = media.textTracks[0];
    track.mode = track.mode === "showing" ? "hidden" : "showing";
    button.ariaPressed = `${track.mode === "showing"}`;
  },
  full: ({ media }) => (media.requestFullscreen ?? media.webkitEnterFullscreen).call(media),
  help: (face) => face.querySelector("dialog").showModal(),
  shut: (face) => face.querySelector("dialog").close(),
  forget(face) {
    forget();
    players().forEach((each) => each.media !== dock?.media && each.go(0));
    face.querySelector("dialog").close();
    say(words.forgotten);
  },
};
const sets = {
  speed: ({ value }) => adjust((known) => (known.speed = +value)),
  volume: ({ value }) => adjust((known) => Object.assign(known, { volume: +value, muted: !+value })),
  keys: ({ checked }) => adjust((known) => (known.keys = checked)),
  onward: ({ checked }) => adjust((known) => (known.onward = checked)),
  sleep({ value }) {
    sleep = { value, at: +value ? Date.now() + value * 60000 : 0, chapter: current().chapter() };
    players().forEach((each) => each.tune());
  },
};
const pick = (rate) => {
  adjust((known) => (known.speed = rate));
  say(fill(words.speed, { speed: `${rate.toLocaleString(page.lang)}×` }));
};

document.addEventListener("click", (event) => {
  const { target } = event;
  const button = target.closest?.("[data-do]");
  const face = button?.closest("podsite-player");
  if (face?.media) return acts[button.dataset.do](face, button);
  if (target.localName === "video" && !target.controls) return acts.toggle(players(target)[0]);
  const link = target.closest?.("a[data-start]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const { start, end: until } = link.dataset;
  const slug = link.closest("[data-episode]")?.dataset.episode ?? main()?.slug;
  if (!slug) return;
  event.preventDefault();
  hear(slug, start === "" ? undefined : +start, +until || 0);
});
document.addEventListener("change", ({ target }) => {
  const face = target.closest("podsite-player");
  if (!face?.media) return;
  if (target.matches(".seek")) {
    face.held = undefined;
    face.go(+target.value);
  } else if (target.dataset.set) sets[target.dataset.set](target);
});
document.addEventListener("input", ({ target }) => {
  const face = target.closest("podsite-player");
  if (!face?.media) return;
  if (target.matches(".seek")) {
    face.held = +target.value;
    face.draw(true);
  } else if (target.dataset.set === "volume") {
    face.media.volume = +target.value;
    face.media.muted = false;
  }
});
document.addEventListener("focusin", ({ target }) => target.matches?.(".seek") && target.closest("podsite-player").draw(true));
document.addEventListener("fullscreenchange", () => all("podsite-player video").forEach((video) => (video.controls = video === document.fullscreenElement)));

// Keys are nobody's but what has the focus, where that knows what to do with them.
document.addEventListener("keydown", (event) => {
  const { key, target, shiftKey } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
  const isSlider = target.matches(".seek");
  const isArrow = /^Arrow/.test(key);
  if (target.closest("select, textarea, audio, [contenteditable]:not([contenteditable=false])") || target.matches("input:not([type=range], [type=checkbox], [type=radio], [type=button])")) return;
  if ((isArrow || key === " ") && !isSlider && target.closest("a, button, input, summary, video[controls], [role]:not([role=group], [role=status]), [tabindex]:not([tabindex='-1'])")) return;
  const face = isSlider ? target.closest("podsite-player") : current();
  if (!isArrow && key !== " " && !memory().keys) return;
  const ahead = (key === "ArrowRight") !== isRtl();
  const own = {
    "/": () => search(),
    " ": () => (face === dock || seen.has(face)) && !shiftKey && acts.toggle(face),
    k: () => acts.toggle(face),
    j: () => acts.back(face),
    l: () => acts.forward(face),
    m: () => acts.mute(),
    "<": () => pick(rates.findLast((rate) => rate < memory().speed) ?? rates[0]),
    ">": () => pick(rates.find((rate) => rate > memory().speed) ?? rates.at(-1)),
    "?": () => acts.help(bar.hidden ? face : dock),
  };
  own.ArrowLeft = own.ArrowRight = () => (shiftKey ? turn(face, ahead ? 1 : -1) : skip(face, ahead ? STEP : -STEP));
  if (isSlider) Object.assign(own, { ArrowUp: () => skip(face, STEP), ArrowDown: () => skip(face, -STEP) });
  if (!Object.hasOwn(own, key) || !(face?.media || key === "/")) return;
  if (own[key]() !== false) event.preventDefault();
});
const search = () => {
  const field = document.querySelector("input[type=search]");
  const link = document.querySelector("a[href$='search/']");
  if (!field && !link) return false;
  field ? field.focus() : link.click();
};

// A moment of an episode that may be on this page, in the bar, or on its own page, which is then read.
const hear = (slug, time, until, play = true) => {
  const face = [dock, ...players()].find((each) => each?.slug === slug);
  if (!face) return play && summon(slug, time, until);
  if (time !== undefined) face.go(time, until);
  else if (isOver(face.media.currentTime, face.duration)) face.go(0);
  if (play) face.play();
};
export const read = async (address, signal) => {
  const answer = await fetch(address, { signal, headers: { Accept: "text/html" } });
  if (!answer.ok || !/^text\/html/.test(answer.headers.get("Content-Type"))) throw new Error(`${answer.status}`);
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  found.head.prepend(Object.assign(found.createElement("base"), { href: answer.url }));
  return found;
};
const summon = async (slug, time, until) => {
  const address = new URL(`episodes/${slug}/`, ROOT).href;
  const media = new Audio();
  media.play().catch(() => {}); // while the click still counts as a permission
  media.pause();
  try {
    const found = await read(address);
    const face = settle(document.importNode(found.querySelector("podsite-player[data-main]"), true), found.baseURI);
    const own = face.querySelector("audio, video");
    own.controls = false;
    face.media = own.localName === "video" ? own : Object.assign(media, { src: own.src, preload: "auto" });
    begin(face);
    dock.go(time ?? memory().episodes[slug]?.time ?? 0, until);
    dock.play();
  } catch {
    location.assign(time ? `${address}#t=${time}` : address);
  }
};
document.addEventListener("podsite:seek", ({ detail }) => {
  const slug = detail.slug ?? main()?.slug;
  if (slug) hear(slug, detail.time, 0, detail.play !== false);
});

// #t=12:34, ?t=754, #t-754 (a paragraph) and #t=10,20 (up to there) get the player ready; nothing plays by itself.
const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + +part, 0);
const arrive = () => {
  const face = main();
  const [, from, to] = /[#&?]t(?:=(?:npt:)?|-)([\d:.]+)?(?:,([\d:.]+))?/.exec(location.hash) ?? /[&?]t=([\d:.]+)?(?:,([\d:.]+))?/.exec(location.search) ?? [];
  if (!face?.media || !(from || to)) return;
  if (face.media.preload === "none") face.media.preload = "metadata";
  face.go(seconds(from ?? "0"), to ? seconds(to) : 0);
};
addEventListener("hashchange", arrive);
document.addEventListener("podsite:page", () => {
  title = document.title;
  arrive();
  place();
  entitle();
});

customElements.define("podsite-player", Player);
const first = () => document.dispatchEvent(new CustomEvent("podsite:page", { detail: { first: true } }));
document.readyState === "complete" ? first() : document.addEventListener("DOMContentLoaded", first);
