"""Further reading and episodes as citations: BibTeX, CSL-JSON, RIS, Markdown, and what Zotero reads off pages."""
