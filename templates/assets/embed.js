// The player on other sites: its colours by the address (?theme=dark&accent=0a5e63), and its height for whoever shows it.
{
  const page = document.documentElement;
  const asked = new URLSearchParams(location.search);
  page.className = "js";
  if (/^(dark|light)$/.test(asked.get("theme"))) page.dataset.theme = asked.get("theme");

  // An accent is moved towards black or white until it can be read on both papers, as podsite does with the show's own.
  const papers = { light: ["f7f2e8", "ede5d5"], dark: ["12151b", "1c2129"] };
  const channels = (colour) => colour.match(/../g).map((pair) => parseInt(pair, 16));
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((one) => (one / 255 <= 0.04045 ? one / 3294.6 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const accent = /^#?([\da-f]{6})$/i.exec(asked.get("accent"))?.[1];
  for (const [name, grounds] of accent ? Object.entries(papers) : []) {
    let ink = accent;
    for (let step = 1; step <= 64 && grounds.some((ground) => contrast(ink, ground) < 4.5); step++) {
      const end = name === "dark" ? 255 : 0;
      ink = channels(accent).map((one) => Math.round(one + ((end - one) * step) / 64).toString(16).padStart(2, "0")).join("");
    }
    page.style.setProperty(`--accent-${name}`, `#${ink}`);
    page.style.setProperty(`--on-accent-${name}`, contrast(ink, "ffffff") > contrast(ink, "000000") ? "#ffffff" : "#000000");
  }

  const tell = ([{ target }]) => parent.postMessage({ podsite: "height", height: Math.ceil(target.getBoundingClientRect().height) + 2 }, "*");
  if (parent !== window) addEventListener("DOMContentLoaded", () => new ResizeObserver(tell).observe(document.querySelector("main")));
}
