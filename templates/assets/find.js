// Find in the transcript, loaded when somebody is about to: every place where the words stand, also across sentences,
// is shown by highlights, or by marks in browsers without them.
let box, parts, show, found, at;
const highlights = globalThis.CSS?.highlights;

export const setUp = (transcript, paragraphs, scroll) => {
  if (transcript === box) return;
  [box, parts, show, found, at] = [transcript, paragraphs, scroll, [], 0];
  const input = box.querySelector("input");
  let wait;
  input.addEventListener("input", () => {
    clearTimeout(wait);
    wait = setTimeout(search, 150, input.value);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.isComposing) step(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") search((input.value = ""));
  });
  box.querySelector(".previous").addEventListener("click", () => step(-1));
  box.querySelector(".next").addEventListener("click", () => step(1));
  if (input.value) search(input.value);
};

const search = (text) => {
  for (const mark of box.querySelectorAll("mark")) {
    const part = mark.parentElement;
    mark.replaceWith(...mark.childNodes);
    part.normalize();
  }
  const words = text.trim().split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  found = words[0] ? parts.flatMap((part) => places(part, new RegExp(words.join("\\s+"), "giu"))).slice(0, 999) : [];
  at = 0;
  highlights?.delete("here");
  highlights?.set("found", new Highlight(...found.map((place) => new StaticRange(place))));
  if (!highlights) found.toReversed().forEach(mark);
  if (found.length) step(0);
  else tell(words[0] ? "none" : "empty");
};

const tell = (what, number, count) => {
  const output = box.querySelector("output");
  output.textContent = (output.dataset[what] ?? "").replace("{number}", number).replace("{count}", count);
};

const step = (by) => {
  if (!found.length) return;
  at = (at + by + found.length) % found.length;
  highlights?.set("here", new Highlight(new StaticRange(found[at])));
  tell("count", at + 1, found.length);
  show(found[at].startContainer.parentElement);
};

// Where the words stand in a paragraph, whose text may be cut into several nodes; times are no words.
const places = (part, pattern) => {
  const nodes = [];
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  let text = "";
  while (walker.nextNode()) {
    if (walker.currentNode.parentElement.matches(".time")) continue;
    nodes.push([text.length, walker.currentNode]);
    text += walker.currentNode.data;
  }
  const spot = (offset) => {
    const [begin, node] = nodes.findLast(([begin]) => begin <= offset);
    return [node, offset - begin];
  };
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => {
    const [startContainer, startOffset] = spot(index);
    const [endContainer, endOffset] = spot(index + length - 1);
    return { startContainer, startOffset, endContainer, endOffset: endOffset + 1 };
  });
};

const mark = (place) => {
  const range = new Range();
  range.setStart(place.startContainer, place.startOffset);
  // of words that go on in another sentence the beginning is enough to be seen
  const isWhole = place.startContainer === place.endContainer;
  range.setEnd(place.startContainer, isWhole ? place.endOffset : place.startContainer.length);
  const element = document.createElement("mark");
  range.surroundContents(element);
  place.startContainer = element.firstChild;
};
