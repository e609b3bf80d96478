// Rows of lists say how far somebody came; the home page offers to go on.
import { KEY, all, clock, fill, home, left, memory, remember, words } from "./memory.js";

const put = (element, text) => element.textContent !== text && (element.textContent = text);

const mark = (row, { time, duration, heard } = {}) => {
  const isBegun = time && duration;
  const text = isBegun ? fill(words.player.left, { time: left(duration - time) }) : heard ? words.player.heard : "";
  const facts = row.querySelector(".facts");
  let told = row.querySelector(".mark");
  row.style.setProperty("--heard", isBegun ? time / duration : +!!text);
  if (!facts || (!told && !text)) return;
  if (!told) facts.append(" ", (told = Object.assign(document.createElement("span"), { className: "mark" })));
  put(told, text);
  told.hidden = !text;
};

const show = () => {
  const { episodes } = memory();
  const section = document.querySelector("[data-resume]");
  if (section) {
    const begun = Object.entries(episodes).filter(([, { time }]) => time > 3);
    begun.sort(([, one], [, other]) => other.when - one.when).splice(3);
    const rows = begun.map(([slug, { title, address, time }]) => {
      const known = section.querySelector(`[data-episode="${CSS.escape(slug)}"]`);
      const row = known ?? section.querySelector("template").content.firstElementChild.cloneNode(true);
      const [name, go] = all("a", row);
      row.dataset.episode = slug;
      put(name, title);
      put(go, fill(words.player.resume, { time: clock(time) }));
      name.href = home(address);
      go.href = `${name.href}#t=${Math.floor(time)}`;
      return row;
    });
    const list = section.querySelector("ol");
    if (rows.some((row, n) => row !== list.children[n]) || rows.length !== list.children.length) list.replaceChildren(...rows);
    section.hidden = !rows.length;
  }
  for (const row of all(".row[data-episode]")) mark(row, episodes[row.dataset.episode]);
};

addEventListener("storage", ({ key }) => key === KEY && show());
for (const type of ["podsite:page", "podsite:heard"]) document.addEventListener(type, show);
document.addEventListener("click", ({ target }) => {
  const row = target.closest?.("[data-forget]")?.closest("[data-episode]");
  if (row) remember(({ episodes }) => delete episodes[row.dataset.episode]);
});
