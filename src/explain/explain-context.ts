import type { Domain } from '../model/domain/domain.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import type { Step } from '../model/step.ts';
import type { DeathPolicy } from '../schedule/transition.ts';
import type { Listing } from '../store/store-reader.ts';

/** What cannot be seen at all, or not told from an ordinary space. */
const UNSEEN = /[\p{Cf}\p{Cc}]|(?! )\p{White_Space}/gu;
/** Spaces at an end, or beside another. */
const LOST_SPACES = /^ +| +$| {2,}/g;

/** Whether a name may be taken for the one of the service: it holds it or is held by it, but for case, spaces and signs, or has letters that may look like its. */
export function isNearlyNamed(software: string, softwareId: string): boolean {
  const [one, other] = [plain(software), plain(softwareId)];
  return /[^ -~]/.test(software) || one.includes(other) || (one !== '' && other.includes(one));
}

/** A name in quotes, with white space made visible: a space that would be lost as `␣`, all else as its code point. */
export function quotedName(software: string): string {
  const seen = software
    .replace(LOST_SPACES, (spaces) => '␣'.repeat(spaces.length))
    .replace(UNSEEN, (sign) => `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`);
  return `"${seen}"`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** What is needed to tell why a domain stands where it does. */
export interface Story {
  record: DomainRecord;
  listing: Exclude<Listing, { because: 'opted-out' }>;
  /** Another domain that it leads to: what it redirects to, and whether that one is listed; null when it is not known. */
  target: { domain: Domain; isListed: boolean } | null;
  /** Of the last visit; null when they are no longer kept. */
  steps: readonly Step[] | null;
  /** What a server has to call itself. */
  softwareId: string;
  now: number;
  policy: DeathPolicy;
}

/** Whether a domain is listed and the one reason, and why at length. */
export interface Telling {
  headline: string;
  why: string;
}
