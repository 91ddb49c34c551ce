/** A text as one word of a POSIX shell; quoted unless it has only letters, digits and `_ . / : @ = -`. */
export function shellWord(text: string): string {
  return /^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
