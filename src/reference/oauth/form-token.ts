import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReferenceData } from '../data/open-data.ts';
import { createSecret } from '../data/secret.ts';

/** What a form of the consent pages is for, and for whom: its token holds for nothing else. */
export interface FormContext {
  /** The value of the visitor's cookie, which another site can neither read nor set. */
  readonly cookie: string;
  readonly purpose: 'sign-in' | 'consent';
  /** The authorization request, as `rawQueryOf` gives it. */
  readonly rawQuery: string;
}

const nameOfKey = 'form-key';

/** The token that a form carries in a hidden field, so that no other site can send the form (CSRF). */
export function createFormToken(data: ReferenceData, { cookie, purpose, rawQuery }: FormContext): string {
  // A browser percent-encodes an apostrophe when it sends the form.
  const query = rawQuery.replaceAll("'", '%27');
  const text = JSON.stringify([purpose, cookie, query]);
  return createHmac('sha256', keyOf(data)).update(text).digest('base64url');
}

/** Compares in constant time. */
export function formTokenMatches(data: ReferenceData, context: FormContext, token: string): boolean {
  const right = Buffer.from(createFormToken(data, context));
  const given = Buffer.from(token);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Kept with the data, so that a form that is open while the server restarts still holds when the data does. */
function keyOf(data: ReferenceData): string {
  const kept = data.fact(nameOfKey);
  if (kept !== undefined) return kept;
  return data.transaction(() => {
    // Another process with the same file may have made one since.
    const made = data.fact(nameOfKey) ?? createSecret();
    data.setFact(nameOfKey, made);
    return made;
  });
}
