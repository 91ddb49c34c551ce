import { hostsIn } from './hosts-in.ts';
import { type OptOutSet, REDACTED_NAME } from './opt-out-names.ts';

/** Scripts that put no space between words: a name in Latin letters may stand right beside them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/** Whether a text names a host that has opted out. Where nobody has, nothing is looked through. */
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

/** The text, plain or JSON, with {@link REDACTED_NAME} in the place of the hosts that have opted out; a port behind one stays. */
export function redactText(text: string, optedOut: OptOutSet): string {
  if (optedOut.size === 0 || !text.includes('.')) return text;
  const redacted = replaceNames(text, text, optedOut);
  const spaced = redacted.replace(UNSPACED, (character) => ' '.repeat(character.length));
  return spaced === redacted ? redacted : replaceNames(redacted, spaced, optedOut);
}

/** @param read what the names are read from; of the same length as `text`. */
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

/** {@link redactText} of every text in a value that JSON can hold; the value itself when nothing changes. */
export function redactNames<Value>(value: Value, optedOut: OptOutSet): Value {
  if (optedOut.size === 0) return value;
  const text = JSON.stringify(value);
  const redacted = redactText(text, optedOut);
  return redacted === text ? value : JSON.parse(redacted);
}
