import type { DomainRefusal } from './domain-refusal.ts';

/** A text that is not a domain: the reason, and one phrase of detail for the person who wrote it. */
export type Refused = { readonly ok: false; readonly reason: DomainRefusal; readonly detail: string };

export function refused(reason: DomainRefusal, detail: string): Refused {
  return { ok: false, reason, detail };
}
