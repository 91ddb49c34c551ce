/** A server or a fleet that runs, and how to tell of it. */
export interface Started extends AsyncDisposable {
  /** For a machine: one line of JSON. */
  facts: object;
  /** For a person. */
  text: string;
}
