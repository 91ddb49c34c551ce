import { z } from 'zod';
import { ChangeCause, ChangedField } from '../model/change.ts';
import { AnyState } from '../model/domain-record.ts';
import { FactValue } from '../model/facts/fact-value.ts';
import { InstanceFlag } from '../model/facts/instance-facts.ts';
import { Reason } from '../model/reason.ts';
import { Step } from '../model/step.ts';
import { Verdict, Via } from '../model/verdict.ts';

/** ISO 8601, UTC. */
const time = z.iso.datetime();

const step = Step.shape;

export const ExplainedStep = z.object({
  probe: step.probe.describe('What was asked for; `dns` is the look-up that precedes all.'),
  url: step.url.describe('The URL asked, or the host looked up.'),
  status: step.status.describe('HTTP status; null when no answer came.'),
  ms: step.ms.describe('How long it took, in milliseconds.'),
  bytes: step.bytes.describe('Length of the body after decompression, in bytes.'),
  failure: step.failure.describe('Why it gave no usable answer; null when it did.'),
  code: step.code.describe('What else happened, in a word; missing when nothing did, or when `failure` says it.'),
  redirectsTo: step.redirectsTo.describe('The host that it redirects to, where that was not followed.'),
  note: step.note.describe('What else is to be known: where a redirect led, why a request was not made.'),
  what: z.string().describe('What was asked, in words: `NodeInfo link`.'),
  came: z.string().describe('What came, in words: `redirects to b.example (301)`.'),
});
export type ExplainedStep = z.infer<typeof ExplainedStep>;

export const ExplainedVisit = z.object({
  at: time.describe('Start of the visit.'),
  verdict: Verdict.describe('What it decided.'),
  reason: Reason.describe('Why it decided so.'),
  means: z.string().describe('What it came to, in words.'),
  steps: z
    .array(ExplainedStep)
    .nullable()
    .describe('What it asked, in order; null when that is no longer kept, empty when it asked nothing.'),
});
export type ExplainedVisit = z.infer<typeof ExplainedVisit>;

/** One fact that an instance tells of itself. */
export const ExplainedFact = z.object({
  path: z.string().describe('Where it is in an entry of instances.json: `registration.mode`.'),
  value: FactValue.describe('What it is; null when unknown, which is neither 0 nor false.'),
  readAt: time.nullable().describe('When it was last read; null when unknown.'),
  standing: z
    .enum(['fresh', 'stale', 'unknown'])
    .describe(
      '`fresh`: read lately; `stale`: known, but last read longer ago than `flags.staleDays`; `unknown`: not told.',
    ),
});
export type ExplainedFact = z.infer<typeof ExplainedFact>;

const window = z.object({
  share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('The part of the watched time in which it was up, 0 to 1; null when too little was watched.'),
  coverage: z.number().min(0).max(1).describe('The part of the time that was watched, 0 to 1.'),
});

const ExplainedChange = z.object({
  at: time.describe('Start of the visit that found it, or when it was asked for or read anew.'),
  field: ChangedField.describe('Which fact.'),
  from: FactValue.describe('What it was; null when it was unknown.'),
  to: FactValue.describe('What it became; null when it became unknown.'),
  why: z.string().nullable().describe('Of a state, what moved it, in words; else null.'),
  cause: ChangeCause.describe(
    'What found it: a visit, somebody who asked for the domain, or documents that were read anew.',
  ),
});

/** The answer to "why?" for one domain, from what is stored; what `explain --json` prints. */
export const Explanation = z.object({
  domain: z.string().describe('The domain.'),
  asOf: time.describe('The moment that it was explained at, and that ages count from.'),
  state: AnyState.nullable().describe(
    'Where it stands between visits; null for a domain that was never heard of, and then all that is known of it is too.',
  ),
  since: time.nullable().describe('Since when it is in that state; null when it was never heard of.'),
  stateWhy: z.string().nullable().describe('What moved it into its state, in words; null when it never moved.'),
  verdict: Verdict.nullable().describe('What the last visit decided; null before the first.'),
  reason: Reason.nullable().describe('Why it decided so; null before the first visit.'),
  via: Via.nullable().describe('Probe that last named the software; null when none ever did.'),
  listed: z.boolean().describe('Whether it is listed.'),
  headline: z.string().describe('Whether it is listed, and the one reason, in a sentence.'),
  why: z.string().describe('Why it is listed or not, at length.'),
  whatWouldChange: z
    .array(z.string())
    .describe(
      'What its operator can do, or what will happen by itself, the nearest cure first; empty when nothing is wanting.',
    ),
  firstSeen: time.nullable().describe('When it first became known; null when it was never heard of.'),
  lastVisit: time.nullable().describe('The last visit; null before the first.'),
  lastSeen: time.nullable().describe('The last successful visit; null when there was none.'),
  nextVisit: time.nullable().describe('When the next visit is due; null when it is never visited again.'),
  nextVisitWhy: z.string().nullable().describe('Why then, in words; null when that is not known.'),
  uptime: z
    .object({
      day: window.describe('Of the last 24 hours.'),
      week: window.describe('Of the last 7 days.'),
      month: window.describe('Of the last 30 days.'),
    })
    .nullable()
    .describe('How much of the time it was up, unrounded; null unless it was ever found to be Loops.'),
  facts: z
    .array(ExplainedFact)
    .nullable()
    .describe('What it last said of itself; null unless it was ever found to be Loops.'),
  flags: z
    .array(
      z.object({
        flag: InstanceFlag.describe('The flag.'),
        means: z.string().describe('What it says, in words.'),
      }),
    )
    .describe('What is odd about it.'),
  changes: z.array(ExplainedChange).describe('Its latest changes, newest first.'),
  visits: z.array(ExplainedVisit).describe('Its last visits, newest first.'),
});
export type Explanation = z.infer<typeof Explanation>;
