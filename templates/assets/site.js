// Everything here adds to pages that work without it: the theme switch, timestamps that play, links to a moment.
const page = document.documentElement;
// What is shown in words comes from the page: see partials/words.html.
const words = JSON.parse(document.getElementById("words")?.textContent || "{}");
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Light, dark, or as the system has it; remembered where the browser lets us.
const themes = ["", "light", "dark"];
const button = document.querySelector(".switch");
const show = () => words.themes && (button.lastElementChild.textContent = words.themes[page.dataset.theme || "auto"]);
button?.addEventListener("click", () => {
  const next = themes[(themes.indexOf(page.dataset.theme || "") + 1) % 3];
  if (next) page.dataset.theme = next;
  else delete page.dataset.theme;
  try {
    localStorage.setItem("podsite-theme", next);
  } catch {} // private windows may refuse; then it lasts as long as the page
  show();
});
if (button) show();

// On a narrow screen the navigation is a strip; its current section is brought into view.
document.querySelector(".masthead nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });

// One recording at a time.
document.addEventListener(
  "play",
  (event) => all("audio, video").forEach((other) => other !== event.target && other.pause()),
  true,
);

const player = document.querySelector("[data-player]");
if (player) {
  let wanted = null; // a moment asked for before the length of the recording is known
  const go = (time) => {
    if (player.readyState) player.currentTime = time;
    else wanted = time;
  };
  player.addEventListener("loadedmetadata", () => {
    if (wanted !== null) player.currentTime = wanted;
    wanted = null;
  });

  // Timestamps and chapters play here; opened in a new tab, they still lead to the file.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-start]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(+link.dataset.start);
    player.play().catch(() => {});
  });

  // #t=12:34, ?t=754 and #t-754 (a paragraph of the transcript) get the player ready at that moment.
  const moment = () => {
    const found = /(?:[?&#]t[=-])((?:\d+:){0,2}\d+(?:\.\d+)?)/.exec(location.hash || location.search);
    if (!found) return;
    player.preload = "metadata";
    go(found[1].split(":").reduce((sum, part) => sum * 60 + +part, 0));
    const target = document.getElementById(location.hash.slice(1));
    const fold = target?.closest("details");
    if (fold && !fold.open) {
      fold.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", moment);
  moment();

  // The chapter and the paragraph being heard.
  const lists = all("[data-follow]").map((list) => all("[data-start]", list));
  player.addEventListener("timeupdate", () => {
    for (const links of lists) {
      const now = links.findLast((link) => +link.dataset.start <= player.currentTime + 0.25);
      if (now?.hasAttribute("aria-current")) continue;
      links.forEach((link) => link.removeAttribute("aria-current"));
      now?.setAttribute("aria-current", "true");
    }
  });
}

// browsers leave what is half in view where it is; a link in focus is to be seen whole
all(".masthead nav").forEach((nav) =>
  nav.addEventListener("focusin", (event) => event.target.scrollIntoView({ block: "nearest", inline: "center" }))
);

all("[data-copy]").forEach((copy) => {
  const address = document.getElementById(copy.dataset.copy);
  const label = copy.textContent;
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(address.textContent);
      copy.textContent = words.copied;
      setTimeout(() => (copy.textContent = label), 2000);
    } catch {
      getSelection().selectAllChildren(address); // no permission: selected, one key away
    }
  });
});
