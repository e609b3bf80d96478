// The filter of reading lists: hides what has not all the words, the kind and the topic that are asked for. What is asked
// for stands in the address, so that a filtered list can be linked to.
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function setUp() {
  const form = document.querySelector("main form.filter");
  if (!form || !form.hidden) return;
  const words = JSON.parse(document.getElementById("filter-words").textContent);
  const rules = new Intl.PluralRules(document.documentElement.lang);
  const number = new Intl.NumberFormat(document.documentElement.lang);
  const shelves = [...document.querySelectorAll("main .shelf[data-kind]")];
  const items = [...document.querySelectorAll("main .readings > li")].map((item) => ({
    item,
    text: plain(item.textContent),
    topics: item.dataset.topics.split(" "),
    kind: item.closest("[data-kind]")?.dataset.kind,
  }));
  const fields = [...form.elements].filter((field) => field.name);
  const asked = (name) => form.elements[name]?.value ?? "";

  const filter = () => {
    const wanted = plain(asked("q")).split(/\s+/).filter(Boolean);
    const kind = asked("kind");
    const topic = asked("topic");
    let shown = 0;
    for (const one of items) {
      const fits = wanted.every((word) => one.text.includes(word));
      one.item.hidden = !fits || (kind && one.kind !== kind) || (topic && !one.topics.includes(topic));
      shown += !one.item.hidden;
    }
    const all = shown === items.length;
    for (const shelf of shelves) {
      shelf.hidden = !shelf.querySelector(".readings > li:not([hidden])");
      shelf.querySelector(".onward")?.toggleAttribute("hidden", !all);
    }
    const text = words.shown[rules.select(shown)] ?? words.shown.other;
    form.querySelector("output").textContent = all ? "" : text.replace("{num}", number.format(shown));
    form.querySelector(".none").hidden = shown > 0;
    const query = new URLSearchParams(fields.filter((field) => field.value).map((field) => [field.name, field.value]));
    history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
  };

  for (const [name, value] of new URLSearchParams(location.search)) if (form.elements[name]) form.elements[name].value = value;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    setTimeout(filter); // when the fields are empty
    form.elements.q.focus();
  });
  form.hidden = false;
  if (fields.some((field) => field.value)) filter();
}

setUp();
document.addEventListener("podsite:page", setUp);
