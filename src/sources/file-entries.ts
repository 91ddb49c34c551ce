/** What the entries of a file of objects or rows hold. */
export interface FileEntries {
  /** Where one holds the domain: a key, or the name of a column. */
  readonly key: string;
  /** Where one says what runs there: keys with dots between them, or the name of a column. */
  readonly softwareKey?: string | undefined;
  /** What runs where none says it. */
  readonly software?: string | undefined;
}
