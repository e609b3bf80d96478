// What comes with the first play: the bar at the foot of the window, memory, the system's media keys.
import { KEY, ROOT, all, home, isOver, memory, page, remember, words as shared } from "./memory.js";
import { acts, live, main, on, players, say, settle } from "./player.js";

const words = shared.player;
export const bar = Object.assign(document.createElement("section"), { className: "dock", hidden: true, ariaLabel: words.name });

// The bar is there while the player on the page is out of sight.
live.place = () => {
  const { player } = live;
  const isShown = player && (bar.contains(document.activeElement) || !players(player.media).some((each) => each !== player && each.seen));
  bar.hidden = !isShown;
  page.classList.toggle("docked", !!isShown);
};

// What begins to play is what the bar holds; in other tabs everything falls silent.
let channel;
export const begin = (face) => {
  const { media } = face;
  try {
    channel ??= Object.assign(new BroadcastChannel(KEY), { onmessage: () => live.player?.media.pause() });
    channel.postMessage("");
  } catch {}
  if (live.player?.media !== media) {
    keep();
    const focused = bar.contains(document.activeElement) && document.activeElement.dataset.do;
    const player = face.cloneNode(true);
    all("audio, video", player).forEach((each) => each.remove());
    settle(player);
    player.removeAttribute("class");
    player.removeAttribute("data-main");
    player.querySelector("dialog").open = false;
    player.put("[role=status]");
    player.media = media;
    live.player = player;
    bar.replaceChildren(player, ...(media.isConnected && !bar.contains(media) ? [] : [media]));
    if (!bar.isConnected) document.body.append(bar);
    player.ready();
    player.querySelector(`[data-do=${focused}]`)?.focus();
    live.place();
  }
  session();
};
acts.close = () => {
  const { media } = live.player;
  media.pause();
  keep();
  if (bar.contains(media)) players(media).find((each) => !bar.contains(each))?.append(media);
  live.player = null;
  bar.replaceChildren();
  live.place();
  (main()?.querySelector(".play") ?? document.querySelector("main h1"))?.focus({ preventScroll: true });
};

let noted;
const keep = () => {
  const { slug, link, media, duration } = live.player ?? {};
  if (!slug || !media.played.length) return;
  noted = media.currentTime;
  const over = media.ended || isOver(noted, duration);
  remember(({ episodes }) => {
    const heard = over || !!episodes[slug]?.heard;
    episodes[slug] = { title: link.textContent, address: link.href.slice(ROOT.href.length), duration, time: over ? 0 : noted, heard, when: Date.now() };
  });
};
on("pagehide", keep, window);

live.title = document.title;
on("podsite:page", live.place);
const asleep = () => {
  live.sleep = { value: "" };
  players().forEach((each) => each.tune());
};
on("podsite:time", ({ detail: { slug, time, playing } }) => {
  const { player, sleep } = live;
  if (!player || player.slug !== slug) return;
  if (!playing || !(Math.abs(time - noted) < 5)) keep();
  if (playing && (sleep.at ? Date.now() > sleep.at : sleep.value === "chapter" && player.chapter() !== sleep.chapter)) {
    asleep();
    player.media.pause();
    say(words.slept);
  }
  // the chapter stands in the title of the episode's page while it is heard
  const part = player.chapters[player.chapter()]?.title;
  const entitled = part && playing && main()?.media === player.media ? `${part} · ${live.title}` : live.title;
  if (document.title !== entitled) document.title = entitled;
  if (player.part !== part) session();
  player.part = part;
});
on("ended", ({ target }) => {
  if (target !== live.player?.media) return;
  if (live.sleep.value === "episode") asleep();
  else if (memory().onward) other("next")?.click();
}, document, true);

// What the system shows, and its keys.
const other = (rel) => live.player.querySelector(`.other[rel=${rel}]`);
const quietly = (act) => {
  try {
    act();
  } catch {} // what this browser does not know
};
const session = () => quietly(() => {
  const { player } = live;
  const { mediaSession } = navigator;
  const { title: part, link } = player.chapters[player.chapter()] ?? {};
  const picture = link?.parentElement.querySelector("img") ?? player.querySelector(".now img");
  const artwork = [...(picture?.srcset ?? "").matchAll(/(\S+) (\d+)w/g)].map(([, src, width]) => ({ src, sizes: `${width}x${width}` }));
  mediaSession.metadata = new MediaMetadata({ title: player.link.textContent, artist: part ?? player.dataset.author, album: player.dataset.show, artwork });
  const does = {
    play: () => player.play(),
    pause: () => player.media.pause(),
    stop: acts.close,
    seekbackward: ({ seekOffset }) => player.skip(-(seekOffset || player.by("back"))),
    seekforward: ({ seekOffset }) => player.skip(seekOffset || player.by("forward")),
    seekto: ({ seekTime }) => player.go(seekTime),
    previoustrack: other("prev") && (() => other("prev").click()),
    nexttrack: other("next") && (() => other("next").click()),
  };
  for (const [action, act] of Object.entries(does)) quietly(() => mediaSession.setActionHandler(action, act));
  position();
});
const position = () => quietly(() => {
  const { media, duration } = live.player;
  navigator.mediaSession.setPositionState({ duration, playbackRate: media.playbackRate, position: Math.min(media.currentTime, duration) });
});
on("seeked durationchange ratechange", position, document, true);

// While something is loaded, pages of the site are swapped in above the bar, where the browser has the Navigation API.
window.navigation?.addEventListener("navigate", (event) => {
  const { destination, navigationType: type } = event;
  const { href, pathname } = new URL(destination.url);
  const isMade = destination.sameDocument && type !== "traverse"; // by a script's pushState
  const isOdd = !event.canIntercept || event.hashChange || isMade || event.downloadRequest !== null || event.formData || type === "reload";
  if (!live.player || isOdd || !home(href) || !/(\/|\.html?)$/.test(pathname) || document.querySelector("[data-no-swap]")) return;
  // the address changes at once: until the new page is here, links of this one still lead where they led
  const base = document.querySelector("base") ?? Object.assign(document.createElement("base"), { href: document.baseURI });
  event.intercept({
    focusReset: "manual",
    scroll: "manual",
    async handler() {
      document.head.prepend(base);
      try {
        await (await import("./travel.js")).travel(href, event);
      } catch {
        if (!event.signal.aborted) location.reload();
      }
    },
  });
});
