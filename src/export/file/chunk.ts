/** Stands in a text for the time of its generation, which alone never makes a file count as changed. */
export const GENERATED_AT = Symbol('generatedAt');

/** A piece of a file: text, bytes that are valid until the next piece is asked for, or the time. */
export type Chunk = string | Uint8Array | typeof GENERATED_AT;
