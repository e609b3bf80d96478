"""What the tests of incremental builds share: a site, edits of it, and two builds of it side by side."""
