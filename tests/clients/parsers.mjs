// Prints what podcast-partytime and feedsmith find in the feeds named on the command line: JSON, one object a feed.
import { readFileSync } from "node:fs";
import { parseRssFeed } from "feedsmith";
import partytime from "podcast-partytime";

const found = process.argv.slice(2).map((path) => {
  const xml = readFileSync(path, "utf8");
  return { "podcast-partytime": partytime.parseFeed(xml).items, feedsmith: parseRssFeed(xml).items };
});
console.log(JSON.stringify(found));
