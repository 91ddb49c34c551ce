// Filters the directory of a static site.
