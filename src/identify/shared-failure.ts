import type { HttpFailure } from '../http/failure.ts';

/** What every other request to the same host would meet as well: nothing is gained by asking again. */
const SHARED = [
  'dns-nxdomain',
  'dns-no-address',
  'dns-servfail',
  'dns-refused',
  'dns-timeout',
  'forbidden-address',
  'connect-refused',
  'connect-timeout',
  'no-route',
  'tls-expired',
  'tls-wrong-name',
  'tls-untrusted',
  'tls-failed',
  'tls-timeout',
  'visit-timeout',
] as const satisfies readonly HttpFailure[];

type SharedFailure = (typeof SHARED)[number];

/** Whether a failure of one route is one of the whole host (DNS, connect, TLS), so that the visit ends with it. */
export function isShared(failure: HttpFailure): failure is SharedFailure {
  return (SHARED as readonly HttpFailure[]).includes(failure);
}
