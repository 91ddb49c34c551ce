import { hash } from 'node:crypto';
import type { ChangedField, FactChange } from '../change.ts';
import type { FactValue } from '../facts/fact-value.ts';
import type { Visit } from '../visit.ts';
import { hostsIn, SYMBOLS } from './hosts-in.ts';
import { type OptOutSet, REDACTED_NAME } from './opt-out-names.ts';

/** The facts of a domain that name another. */
const NAMING: ReadonlySet<ChangedField> = new Set<ChangedField>(['aliasOf', 'pointsTo']);

/** A change with null in the place of every domain that it names and of which nothing may be published. */
export function redactNamed<Told extends Pick<FactChange, 'field' | 'from' | 'to'>>(
  change: Told,
  isRedacted: (domain: string) => boolean,
): Told {
  if (!NAMING.has(change.field)) return change;
  const told = (value: FactValue): FactValue => (typeof value === 'string' && isRedacted(value) ? null : value);
  return { ...change, from: told(change.from), to: told(change.to) };
}

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

/** What a source of candidates goes by. */
interface Names {
  readonly key: string;
  readonly label: string;
}

/** A source whose address, path or label names a host that has opted out goes by a hash of its key, the same at every run, so that its history goes on. */
export function anonymiseSource<Source extends Names>(source: Source, optedOut: OptOutSet): Source {
  if (!namesOptedOut(source.key, optedOut) && !namesOptedOut(source.label, optedOut)) return source;
  const name = `forgotten source ${hash('sha256', source.key).slice(0, 12)}`;
  return { ...source, key: name, label: name };
}

/** A visit that names no host which has opted out. Its documents stay as they came: the store keeps no body that names one. */
export function redactVisit(visit: Visit, optedOut: OptOutSet): Visit {
  if (optedOut.size === 0) return visit;
  const { documents, robots, ...said } = visit;
  const body = robots?.body ?? null;
  return {
    ...redactNames(said, optedOut),
    documents,
    robots: robots === null || body === null ? robots : { ...robots, body: redactBody(body, optedOut) },
  };
}

/** A robots.txt keeps its rules. */
export function redactBody(body: Uint8Array, optedOut: OptOutSet): Uint8Array {
  const text = Buffer.from(body).toString();
  const redacted = redactText(text, optedOut);
  return redacted === text ? body : Buffer.from(redacted);
}
