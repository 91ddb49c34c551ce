import { Cadence } from '../../../src/model/cadence.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The default cadence of the settings. */
export const standardPolicy: Cadence = Cadence.parse({});
