import { z } from 'zod';
import { jsonLine, roundedShare } from '../../directory/formatting.ts';
import { minuteRoundedTime } from '../../directory/minute-rounded-time.ts';
import { isoTime } from '../../model/time.ts';
import type { Uptime, UptimeWindow } from '../../model/uptime.ts';
import { CACHE_ONE_MINUTE, jsonAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, UNKNOWN_DOMAIN, withEtag } from '../openapi/responses.ts';
import { Cursor, readCursor, writeCursor } from '../query/cursor.ts';
import { DomainParameter, parseDomainParameter, requirePublishedRecord } from '../query/domain-parameter.ts';
import { wholeNumberOr } from '../query/parameters.ts';
import { History } from '../resources/history.ts';
import { changeItemOf } from './changes.ts';

const ListPosition = z.object({ at: z.int(), id: z.int() });
type ListPosition = z.infer<typeof ListPosition>;
/** The last change and the last usage sample of the previous page; each is null once its list has ended. */
const Position = z.object({ changes: ListPosition.nullable(), usage: ListPosition.nullable() });

/** `GET /api/v1/instances/{domain}/history`: the history of a domain. */
export const history = endpoint({
  path: '/api/v1/instances/{domain}/history',
  operationId: 'getHistory',
  tag: 'instances',
  summary: 'The history of a domain, listed or not: its changes, counts and uptime.',
  example: '/api/v1/instances/loops.example/history?limit=50',
  parameters: DomainParameter,
  query: z.strictObject({
    limit: wholeNumberOr(100, 1, 1_000).meta({
      description: 'Maximum number of changes per page, and of usage samples.',
    }),
    cursor: Cursor,
  }),
  responses: { ...withEtag('A page of the history.', History), ...UNKNOWN_DOMAIN, ...RATE_LIMITED },
  answer({ parameters, query: { limit, cursor } }, context) {
    const { reader, now } = context;
    const domain = parseDomainParameter(parameters, context);
    const record = requirePublishedRecord(domain, context);
    const position = readCursor(cursor, { domain }, Position);
    const isEnded = (last: ListPosition | null | undefined) => position !== null && last === null;
    const pageFrom = (before: ListPosition | null | undefined) => ({ before: before ?? null, limit });
    const changes = isEnded(position?.changes) ? [] : reader.changes.pageOf(domain, pageFrom(position?.changes));
    const usage = isEnded(position?.usage) ? [] : reader.usage.pageOf(domain, pageFrom(position?.usage));
    const next = { changes: nextPosition(changes, limit), usage: nextPosition(usage, limit) };
    const page: History = {
      domain,
      uptime: record.wasEverLoops ? roundedUptime(reader.uptimes.of(domain, minuteRoundedTime(record, now()))) : null,
      changes: changes.map(changeItemOf),
      usage: usage.map(({ id: _visit, at, ...counts }) => ({ visitedAt: isoTime(at), ...counts })),
      next: next.changes === null && next.usage === null ? null : writeCursor({ domain }, next),
    };
    return jsonAnswer(jsonLine(page), CACHE_ONE_MINUTE);
  },
});

/** Rounded like the uptime of an instance. */
function roundedUptime({ day, week, month }: Uptime): Uptime {
  const rounded = ({ share, coverage }: UptimeWindow): UptimeWindow => ({
    share: roundedShare(share),
    coverage: roundedShare(coverage),
  });
  return { day: rounded(day), week: rounded(week), month: rounded(month) };
}

/** The position of the next page; null when the page is not full and is therefore the last one. */
function nextPosition(page: readonly ListPosition[], limit: number): ListPosition | null {
  const last = page.length < limit ? undefined : page.at(-1);
  return last === undefined ? null : { at: last.at, id: last.id };
}
