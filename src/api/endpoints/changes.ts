import { z } from 'zod';
import type { DomainRecord } from '../../model/domain-record.ts';
import type { NumberedChange } from '../../store/store-reader.ts';
import { isoTime, jsonLine } from '../../views/formatting.ts';
import { datedAnswer, SHORTLY } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, tagged } from '../openapi/responses.ts';
import { Cursor, readCursor, writeCursor } from '../query/cursor.ts';
import { wholeNumberOr } from '../query/parameters.ts';
import { type ChangeItem, ChangeList } from '../resources/history.ts';

const STEP_MS = 60_000;

/**
 * The time that ages are told from: the last full minute, so that an answer is the same for as long as it may be kept, and never
 * before what was recorded last.
 */
export function steadyTime({ lastVisit, stateSince }: DomainRecord, now: number): number {
  return Math.max(now - (now % STEP_MS), lastVisit ?? 0, stateSince);
}

const Order = z.enum(['newest', 'oldest']);
/** The last change that was seen. */
const Place = z.int().nonnegative();

/** `GET /api/v1/changes`: what changed, of all domains. */
export const changes = endpoint({
  path: '/api/v1/changes',
  operationId: 'listChanges',
  tag: 'domains',
  summary:
    'Every change of a recorded fact, in the order of recording. Oldest first, they can be followed as they come.',
  example: '/api/v1/changes?order=oldest&limit=500',
  query: z.strictObject({
    order: Order.default('newest').meta({ description: 'Which come first.' }),
    limit: wholeNumberOr(100, 1, 1_000).meta({ description: 'Changes on a page, at most.' }),
    cursor: Cursor,
  }),
  responses: { ...tagged('A page of them.', ChangeList), ...LIMITED },
  madeFrom: null,
  answer({ query: { limit, cursor, ...asked } }, { reader, now }) {
    const { order } = asked;
    const place = readCursor(cursor, asked, Place);
    const page = reader.changesPage({ order, from: place, limit });
    const last = page.at(-1)?.id ?? place ?? 0;
    const isLast = order === 'newest' && page.length < limit;
    const next = isLast ? null : writeCursor(asked, last);
    const published = page.filter(({ isPublished }) => isPublished).map(changeItemOf);
    return datedAnswer(now(), jsonLine({ changes: published, next }), SHORTLY);
  },
});

/** A change as it is given out. */
export function changeItemOf({ domain, at, field, from, to, why, cause }: NumberedChange): ChangeItem {
  return { domain, at: isoTime(at), field, from, to, why, cause };
}
