// What few ask of the player: links to a moment, sharing, captions, help, and words for what went wrong.
import { all, clock, fill, memory, page, remember, words as shared } from "./memory.js";
import { adjust, live, on, players, say } from "./player.js";

const words = shared.player;
const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3];

const linkTo = ({ link, media }) => {
  const time = Math.floor(media.currentTime);
  return link.href + (time ? `#t=${clock(time)}` : "");
};
export const copy = async (face) => {
  const link = linkTo(face);
  try {
    await navigator.clipboard.writeText(link);
    say(shared.copied);
  } catch {
    say(link); // not allowed: to be copied by hand
    const place = players().map((each) => each.querySelector("[role=status]")).find((each) => each.textContent);
    getSelection().selectAllChildren(place);
  }
};
export const share = (face) => navigator.share({ title: face.link.textContent, url: linkTo(face) }).catch(() => {});

export const pick = (_, way) => {
  const { speed } = memory();
  const next = way < 0 ? rates.findLast((rate) => rate < speed) : rates.find((rate) => rate > speed);
  adjust((known) => (known.speed = next ?? speed));
  say(fill(words.speed, { speed: `${(next ?? speed).toLocaleString(page.lang || "en")}×` }));
};

export const captions = ({ media: { textTracks: [track] } }, button) => {
  const isShown = track.mode === "showing";
  track.mode = isShown ? "hidden" : "showing";
  button.ariaPressed = !isShown;
};
export const full = ({ media }) => (media.requestFullscreen ?? media.webkitEnterFullscreen).call(media);
on("fullscreenchange", () => all("podsite-player video").forEach((video) => (video.controls = video === document.fullscreenElement)));

export const help = (face) => face.querySelector("dialog").showModal();
export const shut = (face) => face.querySelector("dialog").close();
export const forget = (face) => {
  remember((known) => (known.episodes = {}));
  players().forEach((each) => each.media !== live.player?.media && each.go(0));
  shut(face);
  say(words.forgotten);
};

export const fault = async (media) => {
  const src = media.currentSrc || media.src || media.querySelector("source").src;
  const status = await fetch(src, { method: "HEAD" }).then((answer) => answer.status, () => 0);
  say(status > 399 ? fill(words.missing, { status }) : status ? words.unsupported : words.broken, true);
};
