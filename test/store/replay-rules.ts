import { createReplayRules } from '../../src/schedule/after-replay.ts';
import type { ReplayRules } from '../../src/store/store.ts';
import { standardPolicy } from '../schedule/standard-policy.ts';

/** The current rules with a fixed clock. */
export const replayRules = (now: number): ReplayRules =>
  createReplayRules({ policy: standardPolicy, now: () => now, random: () => 0.5 });
