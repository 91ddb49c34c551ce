import type { Domain } from '../model/domain/domain.ts';
import type { InstanceFacts } from '../model/facts/instance-facts.ts';
import type { REASONS, Reason } from '../model/reason.ts';
import type { Verdict, Via } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';

/** The result of a visit without its steps, documents and times. */
export type Decision = Pick<
  Visit,
  'verdict' | 'reason' | 'via' | 'software' | 'version' | 'aliasOf' | 'facts' | 'retryAfterMs'
>;

/** The reasons that are valid for a verdict. */
type ReasonFor<V extends Verdict> = {
  [R in Reason]: V extends (typeof REASONS)[R]['verdicts'][number] ? R : never;
}[Reason];

const nothing = { via: null, software: null, version: null, aliasOf: null, facts: null, retryAfterMs: null };

export function unreachable(reason: ReasonFor<'unreachable'>, retryAfterMs: number | null = null): Decision {
  return { ...nothing, verdict: 'unreachable', reason, retryAfterMs };
}

export function unidentified(reason: ReasonFor<'unidentified'>, retryAfterMs: number | null = null): Decision {
  return { ...nothing, verdict: 'unidentified', reason, retryAfterMs };
}

export function declined(reason: ReasonFor<'declined'>, retryAfterMs: number | null = null): Decision {
  return { ...nothing, verdict: 'declined', reason, retryAfterMs };
}

export function alias(aliasOf: Domain | null): Decision {
  return { ...nothing, verdict: 'alias', reason: 'redirected', aliasOf };
}

export function other(via: Via, software: string, version: string | null): Decision {
  return { ...nothing, verdict: 'other', reason: `${via}-software`, via, software, version };
}

export function loops(via: Via, facts: InstanceFacts, retryAfterMs: number | null = null): Decision {
  const { software, version } = facts;
  return { ...nothing, verdict: 'loops', reason: `${via}-software`, via, software, version, facts, retryAfterMs };
}
