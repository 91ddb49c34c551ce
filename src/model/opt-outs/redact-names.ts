import { hash } from 'node:crypto';
import type { ChangedField, FactChange } from '../change.ts';
import type { FactValue } from '../facts/fact-value.ts';
import type { Visit } from '../visit.ts';
import { findHostNames, SYMBOLS } from './find-host-names.ts';
import { type OptOutSet, REDACTED_NAME } from './opt-out-names.ts';

/** The fields whose values are domains. */
const DOMAIN_FIELDS: ReadonlySet<ChangedField> = new Set<ChangedField>(['aliasOf', 'pointsTo']);

/** Replaces unpublishable domains in a change by null. */
export function redactChange<NamedChange extends Pick<FactChange, 'field' | 'from' | 'to'>>(
  change: NamedChange,
  mustBeRedacted: (domain: string) => boolean,
): NamedChange {
  if (!DOMAIN_FIELDS.has(change.field)) return change;
  const redact = (value: FactValue): FactValue => (typeof value === 'string' && mustBeRedacted(value) ? null : value);
  return { ...change, from: redact(change.from), to: redact(change.to) };
}

/**
 * Symbols, and scripts without spaces between words: next to a name, they may belong to the name or to the text. The name is redacted in
 * both cases: with `s.video` opted out, `例s.video` becomes `例opted-out.invalid`.
 */
const ADJACENT = new RegExp(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}${SYMBOLS}]`,
  'gu',
);

/** Whether a text names a host that has opted out. */
export function mentionsOptedOutHost(text: string, optedOut: OptOutSet): boolean {
  return redactText(text, optedOut) !== text;
}

/** {@link mentionsOptedOutHost} for a response body, which may be JSON with escaped characters. */
export function bodyMentionsOptedOutHost(body: Uint8Array, optedOut: OptOutSet): boolean {
  if (optedOut.size === 0) return false;
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const unescaped = text.replace(/\\u([0-9a-f]{4})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return mentionsOptedOutHost(unescaped, optedOut);
}

/** Replaces hosts that have opted out by {@link REDACTED_NAME}, in plain text or JSON. Ports stay. */
export function redactText(text: string, optedOut: OptOutSet): string {
  if (optedOut.size === 0 || !text.includes('.')) return text;
  const redacted = replaceNames(text, text, optedOut);
  const spaced = redacted.replace(ADJACENT, (character) => ' '.repeat(character.length));
  return spaced === redacted ? redacted : replaceNames(redacted, spaced, optedOut);
}

/** @param searched `text` with some characters replaced, of the same length. */
function replaceNames(text: string, searched: string, optedOut: OptOutSet): string {
  let replaced = '';
  let position = 0;
  for (const { name, start, end } of findHostNames(searched)) {
    if (!optedOut.has(name)) continue;
    replaced += text.slice(position, start) + REDACTED_NAME;
    position = end;
  }
  return replaced + text.slice(position);
}

/** Applies {@link redactText} to every string in a JSON value; returns the same value when nothing changes. */
export function redactNames<Value>(value: Value, optedOut: OptOutSet): Value {
  if (optedOut.size === 0) return value;
  const text = JSON.stringify(value);
  const redacted = redactText(text, optedOut);
  return redacted === text ? value : JSON.parse(redacted);
}

interface SourceIdentity {
  readonly key: string;
  readonly label: string;
}

/** Renames a source whose key or label names a host that has opted out. The new name is a hash of its key, stable across runs, so its history continues. */
export function anonymiseSource<Source extends SourceIdentity>(source: Source, optedOut: OptOutSet): Source {
  if (!mentionsOptedOutHost(source.key, optedOut) && !mentionsOptedOutHost(source.label, optedOut)) return source;
  const name = `forgotten source ${hash('sha256', source.key).slice(0, 12)}`;
  return { ...source, key: name, label: name };
}

/** Redacts a visit, except for its documents: the store saves no body that names a host that has opted out. */
export function redactVisit(visit: Visit, optedOut: OptOutSet): Visit {
  if (optedOut.size === 0) return visit;
  const { documents, robots, ...rest } = visit;
  const body = robots?.body ?? null;
  return {
    ...redactNames(rest, optedOut),
    documents,
    robots: robots === null || body === null ? robots : { ...robots, body: redactBody(body, optedOut) },
  };
}

export function redactBody(body: Uint8Array, optedOut: OptOutSet): Uint8Array {
  const text = Buffer.from(body).toString();
  const redacted = redactText(text, optedOut);
  return redacted === text ? body : Buffer.from(redacted);
}
