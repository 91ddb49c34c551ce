/** Stands in a text for the time of its generation, which alone never makes a file count as changed. */
export const GENERATED_AT = Symbol('generatedAt');

/** A piece of the text of a file. */
export type Chunk = string | typeof GENERATED_AT;
