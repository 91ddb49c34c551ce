/** What spreadsheets take for the beginning of a formula, their full-width forms, and what marks a cell as text. */
const DANGEROUS = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20']/;

/**
 * A text as a CSV cell that no spreadsheet runs (OWASP, CSV Injection): one that begins as a formula does gets an apostrophe before
 * it. So does one that begins with an apostrophe, so that taking away one leading apostrophe always gives the text back.
 */
export function harmlessCell(text: string): string {
  return DANGEROUS.test(text) ? `'${text}` : text;
}
