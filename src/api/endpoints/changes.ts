import { z } from 'zod';
import { jsonLine } from '../../directory/formatting.ts';
import { isoTime } from '../../model/time.ts';
import type { NumberedChange } from '../../store/history/changes.ts';
import { CACHE_ONE_MINUTE, datedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { Cursor, readCursor, writeCursor } from '../query/cursor.ts';
import { wholeNumberOr } from '../query/parameters.ts';
import { type ChangeItem, ChangeList } from '../resources/history.ts';

const Order = z.enum(['newest', 'oldest']);
/** Id of the last change on the previous page. */
const Position = z.int().nonnegative();

/** `GET /api/v1/changes`: the changes of all domains. */
export const changes = endpoint({
  path: '/api/v1/changes',
  operationId: 'listChanges',
  tag: 'domains',
  summary:
    'Every change of a recorded fact, in the order of recording. With the oldest first, a client can follow new changes.',
  example: '/api/v1/changes?order=oldest&limit=500',
  query: z.strictObject({
    order: Order.default('newest').meta({ description: 'Sort order.' }),
    limit: wholeNumberOr(100, 1, 1_000).meta({ description: 'Maximum changes per page.' }),
    cursor: Cursor,
  }),
  responses: { ...withEtag('A page of changes.', ChangeList), ...RATE_LIMITED },
  answer({ query: { limit, cursor, ...filter } }, { reader, now }) {
    const { order } = filter;
    const position = readCursor(cursor, filter, Position);
    const page = reader.changes.page({ order, from: position, limit });
    const last = page.at(-1)?.id ?? position ?? 0;
    const isLast = order === 'newest' && page.length < limit;
    const next = isLast ? null : writeCursor(filter, last);
    const published = page.filter(({ isPublished }) => isPublished).map(changeItemOf);
    return datedAnswer(now(), jsonLine({ changes: published, next }), CACHE_ONE_MINUTE);
  },
});

export function changeItemOf({ domain, at, field, from, to, why, cause }: NumberedChange): ChangeItem {
  return { domain, changedAt: isoTime(at), field, before: from, after: to, why, cause };
}
