const long = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

export default function (config) {
  config.setQuietMode(true);
  config.addPassthroughCopy({ static: "/" });
  config.addFilter("longDate", (date) => long.format(date));
  config.addFilter("day", (date) => date.toISOString().slice(0, 10));
  config.addFilter("rfc822", (date) => date.toUTCString());
  config.addFilter("rfc3339", (date) => date.toISOString());

  // Newest first, each with its neighbours: once, where Eleventy's own filters would search the list for each page.
  config.addCollection("newest", (api) => {
    const episodes = api.getFilteredByGlob("content/episodes/*.md").reverse();
    episodes.forEach((episode, place) => {
      episode.data.newer = episodes[place - 1];
      episode.data.older = episodes[place + 1];
    });
    return episodes;
  });
  const topicsOf = (api) => {
    const topics = new Map();
    for (const episode of api.getFilteredByGlob("content/episodes/*.md").reverse()) {
      for (const name of episode.data.topics) {
        if (!topics.has(name)) topics.set(name, { name, slug: config.getFilter("slugify")(name), episodes: [] });
        topics.get(name).episodes.push(episode);
      }
    }
    return [...topics.values()].sort((one, other) => one.name.localeCompare(other.name));
  };
  config.addCollection("topics", topicsOf);
  config.addCollection("topicPages", (api) => {
    const pages = [];
    for (const topic of topicsOf(api)) {
      const address = (number) => `/topics/${topic.slug}/${number ? `page/${number + 1}/` : ""}`;
      const count = Math.ceil(topic.episodes.length / 50);
      for (let number = 0; number < count; number++) {
        pages.push({
          name: topic.name,
          address: address(number),
          episodes: topic.episodes.slice(number * 50, (number + 1) * 50),
          newer: number > 0 ? address(number - 1) : null,
          older: number + 1 < count ? address(number + 1) : null,
        });
      }
    }
    return pages;
  });

  return {
    dir: { input: "content", output: "_site" },
    markdownTemplateEngine: false,
    htmlTemplateEngine: false,
    templateFormats: ["md", "njk"],
  };
}
