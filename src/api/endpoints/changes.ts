import { z } from 'zod';
import { jsonLine } from '../../views/json-line.ts';
import { datedAnswer, SHORTLY } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, tagged } from '../openapi/responses.ts';
import { Cursor, readCursor, writeCursor } from '../query/cursor.ts';
import { wholeNumberOr } from '../query/whole-number.ts';
import { ChangeList } from '../resources/history.ts';
import { changeItemOf } from './change-item-of.ts';

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
