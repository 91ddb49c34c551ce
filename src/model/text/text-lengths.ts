/** The most characters kept of each text that a remote server sends. */
export const LENGTHS = {
  software: 100,
  version: 100,
  name: 200,
  description: 2_000,
  url: 500,
  mode: 50,
  format: 50,
  /** Of a value of the wrong type, in a note. */
  cited: 40,
} as const;
