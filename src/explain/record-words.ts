import { causeOf } from '../model/cause-of.ts';
import type { DomainRecord } from '../model/domain-record.ts';
import { endingWords } from '../model/ending-words.ts';
import type { Reason } from '../model/reason.ts';
import type { Story } from './explain-context.ts';
import { isNearlyNamed, quotedName } from './software-name.ts';
import { whenWords } from './time-words.ts';

/** What the last visit of a domain came to: `nothing listens at the address`. */
export function lastVisitWords({
  record: { verdict, reason, aliasOf },
  steps,
}: Pick<Story, 'record' | 'steps'>): string {
  if (reason === null) return 'it was not visited yet';
  if (verdict === 'alias' && aliasOf !== null) return `it redirects to ${aliasOf}`;
  return endingWords(reason, causeOf(reason, steps));
}

/** `mastodon 4.2.1`; a name that may be taken for that of the service is quoted: `"loops␣" 1.0.0`. */
export function softwareWords(
  { software, version }: Pick<DomainRecord, 'software' | 'version'>,
  softwareId: string,
): string {
  if (software === null) return 'other software';
  const name = isNearlyNamed(software, softwareId) ? quotedName(software) : software;
  return version === null ? name : `${name} ${version}`;
}

/** A sentence on the failures in a row; empty when there are none. */
export function timesFailed({ failures, failingSince }: DomainRecord, now: number): string {
  if (failures === 0 || failingSince === null) return '';
  const since = whenWords(failingSince, now);
  return failures === 1 ? `One visit failed, ${since}.` : `${failures} visits in a row failed, the first ${since}.`;
}

/** Pages and names that say more than that nothing was learnt. */
const TELLING: Readonly<Partial<Record<Reason, string>>> = {
  'challenge-page': 'a challenge page stands in front of it',
  'parked-page': 'its name is parked or for sale',
  'default-page': 'its web server is not set up',
  'maintenance-page': 'it is under maintenance',
  'dns-nxdomain': 'its name does not exist',
  'dns-no-address': 'its name has no address',
  gone: 'it said that it is gone for good',
  'forbidden-address': 'it has no public address',
  'rate-limited': 'it wants to be asked less often',
  'robots-forbidden': 'its robots.txt forbids us to ask',
};

/** Of a domain that no visit has settled, in a clause: `its name does not exist`. */
export function unsettledWords({ verdict, reason }: Pick<DomainRecord, 'verdict' | 'reason'>): string {
  const telling = reason === null ? undefined : TELLING[reason];
  if (telling !== undefined) return telling;
  if (verdict === 'unidentified') return 'it answers, but does not say what it is';
  if (verdict === 'declined') return 'it does not want to be asked';
  if (reason?.startsWith('dns-')) return 'its name cannot be looked up';
  return reason?.startsWith('tls-') ? 'no secure connection to it can be made' : 'it cannot be reached';
}
