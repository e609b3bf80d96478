// Small things that add to pages which work without them: the theme switch, links in focus, copy buttons. They are set
// up again for each page that travel.js swaps in.
import { all, page, words } from "./memory.js";

// Light, dark, or as the system has it; remembered where the browser lets us.
const themes = ["", "light", "dark"];
const show = (button) => words.themes && (button.lastElementChild.textContent = words.themes[page.dataset.theme || "auto"]);
const turn = (button) => {
  const next = themes[(themes.indexOf(page.dataset.theme || "") + 1) % 3];
  if (next) page.dataset.theme = next;
  else delete page.dataset.theme;
  try {
    localStorage.setItem("podsite-theme", next);
  } catch {} // private windows may refuse; then it lasts as long as the page
  show(button);
};

// The address of the page as it is to be shared.
const here = () => document.querySelector("link[rel=canonical]").href;
const copy = async (button) => {
  const address = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(address?.textContent ?? here());
    button.textContent = words.copied;
    setTimeout(() => (button.textContent = label), 2000);
  } catch {
    if (address) getSelection().selectAllChildren(address); // no permission: selected, one key away
  }
};

document.addEventListener("click", ({ target }) => {
  const button = target.closest(".switch, [data-copy], [data-share]");
  if (button?.matches("[data-share]")) navigator.share({ title: document.title, url: here() }).catch(() => {});
  else if (button) (button.dataset.copy ? copy : turn)(button);
});

// Browsers leave what is half in view where it is; a link of the navigation in focus is to be seen whole.
document.addEventListener("focusin", ({ target }) => target.closest(".masthead nav") && target.scrollIntoView({ block: "nearest", inline: "center" }));

const setUp = () => {
  all(".switch").forEach(show);
  all("[data-share]").forEach((button) => (button.hidden = !navigator.share));
  // on a narrow screen the navigation is a strip; its current section is brought into view
  // (scrollIntoView would bring the page to its top as well, away from where one came back to)
  const here = document.querySelector(".masthead nav [aria-current]");
  here?.closest("nav").scrollBy(here.getBoundingClientRect().x - 99, 0);
};
setUp();
document.addEventListener("podsite:page", ({ detail }) => detail.first || setUp());
