export default {
  layout: "episode.njk",
  permalink: (data) => `/episodes/${data.slug}/`,
};
