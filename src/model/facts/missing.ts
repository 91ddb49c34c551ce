import { z } from 'zod';
import { isCutByOurLimits, REFUSALS, type Reason } from '../reason.ts';
import { isRobotsForbidden, type Probe, type Step } from '../step.ts';
import type { Verdict, Via } from '../verdict.ts';
import { wasNodeInfoRead } from '../visit.ts';
import { type FactLeaf, REPORTED_LEAVES } from './fact-leaves.ts';
import type { FieldNote, InstanceFacts } from './instance-facts.ts';

/** Every reason why a value is missing, and its meaning. */
export const MISSING = {
  'not-asked':
    'the document that can hold it was not requested: federation is switched off, robots.txt forbids it, the host redirects to another, its address is not public, or a limit of the crawler ended the visit',
  'not-reported': 'every document that can hold it was read, and none has it',
  unreadable: 'there was no usable answer, or the value has the wrong type',
  refused: 'the host refused the request: 401, 403, 410, 429 or a challenge page',
  withheld: 'it names a domain that opted out or asks not to be published',
  unknown: 'the cause is no longer stored',
} as const;

/** Why a value is missing, explained in {@link MISSING}. */
export type Missing = keyof typeof MISSING;
export const Missing = z.enum(Object.keys(MISSING) as [Missing, ...Missing[]]);

/** The published facts of an instance, which a reader can find missing. */
const LEAVES = REPORTED_LEAVES.filter(({ meta }) => meta.label !== undefined);

/**
 * The missing facts of an instance, each as `FACT=CODE`.
 *
 * @param via the probe that identified the instance; null when it is no longer stored.
 * @param readSteps reads the steps of the visit that read the facts, if a document was not read; null when they are no longer stored.
 */
export function missingFacts(facts: InstanceFacts, via: Via | null, readSteps: () => readonly Step[] | null): string[] {
  const missing = LEAVES.filter(({ get }) => get(facts) === null);
  if (missing.length === 0) return [];
  const isComplete = via === 'config' && (wasNodeInfoRead(facts, via) || facts.federation === false);
  const steps = isComplete || via === null ? null : readSteps();
  return missing.map((leaf) => `${leaf.path}=${whyMissing(leaf, facts, via, steps)}`);
}

/** Why a fact is missing from what a visit read. */
export function whyMissing(
  leaf: FactLeaf,
  facts: InstanceFacts,
  via: Via | null,
  steps: readonly Step[] | null,
): Missing {
  const { config = [], nodeinfo = [] } = leaf.meta;
  if (isNoted([...config, ...nodeinfo], facts.notes)) return 'unreadable';
  if (via === null) return 'unknown';
  if (config.length > 0 && via === 'nodeinfo') return whyUnread(steps, ['config']);
  if (nodeinfo.length > 0 && !wasNodeInfoRead(facts, via))
    return facts.federation === false ? 'not-asked' : whyUnread(steps, ['discovery', 'nodeinfo']);
  return 'not-reported';
}

/** Whether a value at one of the paths, or an object around it, has the wrong type. */
export function isNoted(paths: readonly string[], notes: readonly FieldNote[]): boolean {
  return notes.some(({ field }) => paths.some((path) => path === field || path.startsWith(`${field}.`)));
}

const REFUSED = [401, 403, 410, 429];

function whyUnread(steps: readonly Step[] | null, probes: readonly Probe[]): Missing {
  if (steps === null) return 'unknown';
  const step = steps.findLast(({ probe }) => probes.includes(probe));
  if (step === undefined || isRobotsForbidden(step.code)) return 'not-asked';
  if (step.code === 'third-party-limit' || step.code === 'robots-unavailable') return 'not-asked';
  return REFUSED.includes(step.status ?? 0) || step.code === 'challenge-page' ? 'refused' : 'unreadable';
}

const NOT_ASKED: readonly Reason[] = ['robots-forbidden', 'forbidden-address', 'redirected'];
/** The host answered as documented, or like a site without NodeInfo. */
const NOT_REPORTED: readonly Reason[] = ['no-nodeinfo', 'no-nodeinfo-2.0-link', 'nodeinfo-no-software'];

/** Why a visit named no software; null when it did. */
export function whyUnidentified({ verdict, reason }: { verdict: Verdict; reason: Reason }): Missing | null {
  if (verdict === 'loops' || verdict === 'other') return null;
  if (NOT_ASKED.includes(reason) || isCutByOurLimits(reason)) return 'not-asked';
  if (NOT_REPORTED.includes(reason)) return 'not-reported';
  const isRefused = verdict === 'declined' || REFUSALS.some((one) => one === reason);
  return isRefused ? 'refused' : 'unreadable';
}
