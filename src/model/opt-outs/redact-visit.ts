import type { Visit } from '../visit.ts';
import type { OptOutSet } from './opt-out-names.ts';
import { redactNames, redactText } from './redact-names.ts';

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
