/** A host that a text names, and where in its bytes the name is written. */
export interface WrittenName {
  /** As a Domain has it: lower case, A-labels; with the port that is written behind it. Null where only what is within can be meant. */
  readonly name: string | null;
  readonly start: number;
  /** Beyond the last byte of the host; the port stands after it. */
  readonly end: number;
  /** What else can be read there, unless this is the name that is meant. */
  readonly within: readonly WrittenName[];
}
