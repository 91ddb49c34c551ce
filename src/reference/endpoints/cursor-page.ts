import type { FastifyRequest } from 'fastify';

/** A page of a list, newest first, with the keys of live servers. The cursor is the id next to the page. */
export function cursorPage<T extends { id: string }>(
  request: FastifyRequest,
  baseUrl: string,
  items: readonly T[],
  perPage: number,
): { data: T[]; links: object; meta: object } {
  const path = baseUrl + (request.url.split('?', 1)[0] ?? '');
  const { cursor } = request.query as { cursor?: unknown };
  const { id, isNext } = readCursor(cursor);
  // Ids are decimal: the longer one is the larger.
  const isOlder = (item: T) => item.id.length < id.length || (item.id.length === id.length && item.id < id);
  const place = items.findIndex((item) => (isNext ? isOlder(item) : isOlder(item) || item.id === id));
  const end = place === -1 ? items.length : place;
  const start = id === '' ? 0 : isNext ? end : Math.max(0, end - perPage);
  const data = items.slice(start, isNext ? start + perPage : end);
  const next = start + data.length < items.length ? writeCursor(data.at(-1)?.id, true) : null;
  const prev = start > 0 ? writeCursor(data[0]?.id, false) : null;
  const link = (to: string | null) => (to === null ? null : `${path}?cursor=${to}`);
  return {
    data,
    links: { first: null, last: null, prev: link(prev), next: link(next) },
    meta: { path, per_page: perPage, next_cursor: next, prev_cursor: prev },
  };
}

function writeCursor(id: string | undefined, isNext: boolean): string | null {
  return id === undefined ? null : Buffer.from(JSON.stringify({ id, isNext })).toString('base64url');
}

/** An unreadable cursor counts as none. */
function readCursor(cursor: unknown): { id: string; isNext: boolean } {
  const none = { id: '', isNext: true };
  if (typeof cursor !== 'string') return none;
  try {
    const { id, isNext } = Object(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return typeof id === 'string' && /^\d+$/.test(id) ? { id, isNext: isNext === true } : none;
  } catch {
    return none;
  }
}
