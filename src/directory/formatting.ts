import { html } from 'ghtml';

const LINE_SEPARATORS = /[\u2028\u2029]/g;

/**
 * A value as one line of JSON. Escapes U+2028 and U+2029, which some readers take for line ends; `JSON.stringify` escapes control
 * characters and lone surrogates itself.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replace(LINE_SEPARATORS, (character) =>
    character === '\u2028' ? '\\u2028' : '\\u2029',
  );
}

/** A share as published: rounded down to four decimal places, because the times of visits justify no higher precision. */
export function roundedShare<Share extends number | null>(share: Share): Share {
  return (share === null ? null : Math.floor(share * 10_000) / 10_000) as Share;
}

/** Text as HTML, in which the parts between backticks are code. */
export function withCode(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
    .join('');
}
