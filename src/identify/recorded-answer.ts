import { REDACTED_NAME } from '../domain/opt-out-names.ts';
import { storedDomain } from '../domain/stored-domain.ts';
import type { HttpFailure } from '../http/failure.ts';
import { isRobotsForbidden, type Step } from '../record/step.ts';
import type { Answer } from './ask.ts';
import type { Decision } from './decision.ts';

/** A visit as it was recorded. */
export interface RecordedDecision extends Decision {
  /** Null when they are no longer kept. */
  steps: readonly Step[] | null;
}

/** An answer that weighs nothing. */
const NOTHING: Answer = { kind: 'status', status: 404, retryAfterMs: null };

/**
 * What the config probe of a recorded visit came to: from the body, from the steps, or, where these are gone, from what the
 * visit decided, as far as that tells. Pure.
 */
export function recordedAnswer(body: Uint8Array | undefined, recorded: RecordedDecision): Answer {
  if (body !== undefined) return { kind: 'document', body };
  if (recorded.steps === null) return answerBehind(recorded);
  const step = recorded.steps.findLast(({ probe }) => probe === 'config');
  return step === undefined ? NOTHING : answerOfStep(step);
}

function answerOfStep({ status, failure, code, redirectsTo = REDACTED_NAME }: Step): Answer {
  // A step of a request fails with words of requests.
  if (failure !== null) return { kind: 'failure', failure: failure as HttpFailure };
  if (status === null || isRobotsForbidden(code)) return { kind: 'forbidden' };
  if (code === 'redirect-elsewhere') return { kind: 'redirected', to: storedDomain(redirectsTo) };
  return { kind: 'status', status, retryAfterMs: null };
}

function answerBehind({ reason, aliasOf }: Decision): Answer {
  if (aliasOf !== null) return { kind: 'redirected', to: aliasOf };
  if (reason === 'gone') return { kind: 'status', status: 410, retryAfterMs: null };
  return reason === 'robots-forbidden' ? { kind: 'forbidden' } : NOTHING;
}
