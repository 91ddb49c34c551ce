import { z } from 'zod';
import { ChangeCause, ChangedField } from '../model/change.ts';
import { AnyState } from '../model/domain-record.ts';
import { FactValue } from '../model/facts/fact-value.ts';
import { Hosting } from '../model/facts/hosting.ts';
import { InstanceFlag } from '../model/facts/instance-facts.ts';
import { Membership } from '../model/membership.ts';
import { Reason } from '../model/reason.ts';
import { Step } from '../model/step.ts';
import { Verdict, Via } from '../model/verdict.ts';

/** ISO 8601, UTC. */
const time = z.iso.datetime();

const step = Step.shape;

export const ExplainedStep = z.object({
  probe: step.probe.describe('The request; `dns` is the name look-up before the requests.'),
  url: step.url.describe('The requested URL, or the host looked up.'),
  status: step.status.describe('HTTP status; null when there was no response.'),
  ms: step.ms.describe('Duration in milliseconds.'),
  bytes: step.bytes.describe('Length of the body after decompression, in bytes.'),
  failure: step.failure.describe('Why it gave no usable answer; null when it did.'),
  code: step.code.describe('Any other event, as a code; missing when there was none, or when `failure` covers it.'),
  redirectsTo: step.redirectsTo.describe('The host of a redirect that was not followed.'),
  note: step.note.describe('Any other detail: where a redirect led, why a request was not sent.'),
  what: z.string().describe('The request in words: `NodeInfo link`.'),
  came: z.string().describe('The result in words: `redirects to b.example (301)`.'),
});
export type ExplainedStep = z.infer<typeof ExplainedStep>;

export const ExplainedVisit = z.object({
  visitedAt: time.describe('Start of the visit.'),
  durationMs: z.int().nonnegative().describe('Duration of the visit in milliseconds.'),
  verdict: Verdict.describe('The verdict of the visit.'),
  reason: Reason.describe('The reason for the verdict.'),
  means: z.string().describe('The outcome in words.'),
  steps: z
    .array(ExplainedStep)
    .nullable()
    .describe('Its requests, in order; null when they are no longer stored, empty when there were none.'),
});
export type ExplainedVisit = z.infer<typeof ExplainedVisit>;

/** One fact that an instance reports about itself. */
export const ExplainedFact = z.object({
  path: z.string().describe('Path in an entry of instances.json: `registration.mode`.'),
  value: FactValue.describe('Value; null when unknown, which is neither 0 nor false.'),
  readAt: time.nullable().describe('When it was last read; null when unknown.'),
  standing: z
    .enum(['fresh', 'stale', 'unknown'])
    .describe(
      '`fresh`: read recently; `stale`: known, but last read longer ago than `flags.staleDays`; `unknown`: not reported.',
    ),
});
export type ExplainedFact = z.infer<typeof ExplainedFact>;

const window = z.object({
  share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Share of the observed time in which it was up, 0 to 1; null when too little was observed.'),
  coverage: z.number().min(0).max(1).describe('Share of the time that was observed, 0 to 1.'),
});

const ExplainedChange = z.object({
  changedAt: time.describe('Start of the visit that found the change, or the time of the request that caused it.'),
  field: ChangedField.describe('The fact that changed.'),
  before: FactValue.describe('Previous value; null when it was unknown.'),
  after: FactValue.describe('New value; null when it became unknown.'),
  why: z.string().nullable().describe('Cause of a state change in words; null for other changes.'),
  cause: ChangeCause.describe('What caused the change: a visit or a request for the domain.'),
});

/** The output of `explain --json`: why a domain is listed or not, from the database. */
export const Explanation = z.object({
  domain: z.string().describe('The domain.'),
  asOf: time.describe('Time of the explanation, from which ages are counted.'),
  state: AnyState.nullable().describe('State of the domain; null for an unknown domain.'),
  since: time.nullable().describe('Start of that state; null for an unknown domain.'),
  stateWhy: z.string().nullable().describe('Cause of that state in words; null when the state never changed.'),
  verdict: Verdict.nullable().describe('Verdict of the last visit; null before the first.'),
  reason: Reason.nullable().describe('Reason for the verdict; null before the first visit.'),
  via: Via.nullable().describe('Probe that last identified the software; null when none did.'),
  hosting: Hosting.nullable().describe(
    'Where it is, as far as the address tells that it answered at; null for an unknown domain.',
  ),
  listed: z.boolean().describe('Whether it is listed.'),
  headline: z.string().describe('Whether it is listed, with the main reason, in one sentence.'),
  why: z.string().describe('Why it is listed or not, in detail.'),
  whatWouldChange: z
    .array(z.string())
    .describe(
      'What the operator can do, and what will happen without action, the nearest cure first; empty when nothing is missing.',
    ),
  sources: z
    .array(Membership)
    .describe('The sources that have ever listed it, oldest listing first; empty when none has.'),
  firstSeen: time.nullable().describe('When it first became known; null for an unknown domain.'),
  lastVisit: time.nullable().describe('The last visit; null before the first.'),
  lastSeen: time.nullable().describe('The last successful visit; null when there was none.'),
  nextVisit: time.nullable().describe('When the next visit is due; null when it is never visited again.'),
  nextVisitWhy: z.string().nullable().describe('Reason for that time in words; null when unknown.'),
  uptime: z
    .object({
      day: window.describe('Over the last 24 hours.'),
      week: window.describe('Over the last 7 days.'),
      month: window.describe('Over the last 30 days.'),
    })
    .nullable()
    .describe('Uptime, unrounded; null unless it was ever identified as Loops.'),
  facts: z.array(ExplainedFact).nullable().describe('Last known facts; null unless it was ever identified as Loops.'),
  flags: z
    .array(
      z.object({
        flag: InstanceFlag.describe('The flag.'),
        means: z.string().describe('The meaning in words.'),
      }),
    )
    .describe('Flags that apply to it.'),
  changes: z.array(ExplainedChange).describe('Its latest changes, newest first.'),
  visits: z.array(ExplainedVisit).describe('Its last visits, newest first.'),
});
export type Explanation = z.infer<typeof Explanation>;
