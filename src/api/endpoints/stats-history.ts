import { z } from 'zod';
import { jsonLine } from '../../directory/formatting.ts';
import { compareStatsRows } from '../../directory/history/stats-rows.ts';
import { Measure, StatsRow } from '../../directory/schema/stats-row.ts';
import { CACHE_ONE_MINUTE, datedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { Cursor, readCursor, writeCursor } from '../query/cursor.ts';
import { wholeNumberOr, wordList } from '../query/parameters.ts';
import { GeneratedAt } from '../resources/stats.ts';

const MAX_KEY_LENGTH = 256;
const day = z.iso.date('a day such as 2026-01-31').optional();
/** The last point of the previous page. */
const Position = StatsRow.pick({ date: true, measure: true, key: true });

const StatsHistoryList = z
  .object({
    generatedAt: GeneratedAt,
    points: z
      .array(StatsRow.meta({ id: 'StatsHistoryPoint', description: 'One value of one day.' }))
      .meta({ description: 'Sorted by date, measure and key; null keys last.' }),
    next: z.string().nullable().meta({ description: '`cursor` of the next page; null on the last page.' }),
  })
  .meta({ id: 'StatsHistory' });

/** `GET /api/v1/stats/history`: the rows of `stats.csv`, filtered and paged. */
export const statsHistory = endpoint({
  path: '/api/v1/stats/history',
  operationId: 'getStatsHistory',
  tag: 'directory',
  summary:
    'Statistics of the listed instances over time, one point per day, measure and key: the rows of `stats.csv`. Recomputed every few minutes.',
  example: '/api/v1/stats/history?measure=usage.users&key=total&from=2026-01-01',
  query: z.strictObject({
    measure: wordList(Measure.options).optional().meta({ description: 'Measures to include. Default: all.' }),
    key: z.string().min(1).max(MAX_KEY_LENGTH).optional().meta({ description: 'Only points with this key.' }),
    from: day.meta({ description: 'First day (UTC).' }),
    to: day.meta({ description: 'Last day (UTC).' }),
    limit: wholeNumberOr(1_000, 1, 5_000).meta({ description: 'Maximum points per page.' }),
    cursor: Cursor,
  }),
  responses: { ...withEtag('A page of points.', StatsHistoryList), ...RATE_LIMITED },
  answer({ query: { limit, cursor, ...filter } }, { directory }) {
    const { measure, key, from, to } = filter;
    const { at, rows } = directory.history();
    const last = readCursor(cursor, filter, Position);
    const found = rows.filter(
      (row) =>
        (from === undefined || row.date >= from) &&
        (to === undefined || row.date <= to) &&
        (measure === undefined || measure.includes(row.measure)) &&
        (key === undefined || row.key === key) &&
        (last === null || compareStatsRows(row, last) > 0),
    );
    const points = found.slice(0, limit);
    const next = found.length > limit ? writeCursor(filter, Position.parse(points.at(-1))) : null;
    return datedAnswer(at, jsonLine({ points, next }), CACHE_ONE_MINUTE);
  },
});
