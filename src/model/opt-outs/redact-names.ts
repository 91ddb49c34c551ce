import { hostsIn, SYMBOLS } from './hosts-in.ts';
import { type OptOutSet, REDACTED_NAME } from './opt-out-names.ts';

/**
 * Symbols, and scripts without spaces between words: next to a name they can be a part of it or of the text around it. A name is redacted
 * in both cases: with `s.video` opted out, `例s.video` becomes `例opted-out.invalid`.
 */
const ADJACENT = new RegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}${SYMBOLS}]`,
  'gu',
);

/** Whether a text names a host that has opted out. Without opt-outs the text is not read. */
export function namesOptedOut(text: string, optedOut: OptOutSet): boolean {
  return redactText(text, optedOut) !== text;
}

/** {@link namesOptedOut} of the body of an answer, which may be JSON with escapes of characters beyond ASCII. */
export function bodyNamesOptedOut(body: Uint8Array, optedOut: OptOutSet): boolean {
  if (optedOut.size === 0) return false;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const unescaped = text.replace(/\\u([0-9a-f]{4})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return namesOptedOut(unescaped, optedOut);
}

/** Replaces the hosts that have opted out by {@link REDACTED_NAME}, in plain text or JSON; the port after a host stays. */
export function redactText(text: string, optedOut: OptOutSet): string {
  if (optedOut.size === 0 || !text.includes('.')) return text;
  const redacted = replaceNames(text, text, optedOut);
  const spaced = redacted.replace(ADJACENT, (character) => ' '.repeat(character.length));
  return spaced === redacted ? redacted : replaceNames(redacted, spaced, optedOut);
}

/** @param read where to look for names: `text` with some characters replaced, of the same length. */
function replaceNames(text: string, read: string, optedOut: OptOutSet): string {
  let replaced = '';
  let done = 0;
  for (const { name, start, end } of hostsIn(read)) {
    if (!optedOut.has(name)) continue;
    replaced += text.slice(done, start) + REDACTED_NAME;
    done = end;
  }
  return replaced + text.slice(done);
}

/** Applies {@link redactText} to every string in a value that JSON can hold; answers the same value when nothing changes. */
export function redactNames<Value>(value: Value, optedOut: OptOutSet): Value {
  if (optedOut.size === 0) return value;
  const text = JSON.stringify(value);
  const redacted = redactText(text, optedOut);
  return redacted === text ? value : JSON.parse(redacted);
}
