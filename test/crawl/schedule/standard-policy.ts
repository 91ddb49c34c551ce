import type { Cadence } from '../../../src/model/cadence.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The default cadence of the settings. */
export const standardPolicy: Cadence = {
  loopsHours: 6,
  otherHours: 168,
  unidentifiedHours: 168,
  unidentifiedOnceLoopsHours: 12,
  aliasHours: 720,
  timeoutHours: 3,
  serverErrorHours: 3,
  connectHours: 6,
  tlsHours: 12,
  dnsFailureHours: 12,
  nxdomainHours: 168,
  nxdomainOnceLoopsHours: 12,
  maxHours: 720,
  deadHours: 720,
  rateLimitedHours: 1,
  robotsHours: 720,
  goneHours: 2_160,
  forbiddenAddressHours: 720,
  jitter: 0.1,
  deadAfterFailures: 6,
  deadAfterDays: 7,
};
