/** One HTTP answer of a fleet host, as data. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** Only the first `times` requests get this answer; later ones get what the host would answer without it. */
  times?: number;
  /**
   * What goes wrong on the way: `reset` the connection is reset instead of an answer, `stall` no answer ever comes,
   * `stall-in-body` half the body comes, `not-http` bytes that are not HTTP.
   */
  fault?: 'reset' | 'stall' | 'stall-in-body' | 'not-http';
}

export function json(document: unknown, status = 200, headers: Record<string, string> = {}): Answer {
  return raw(JSON.stringify(document), 'application/json; charset=utf-8', status, headers);
}

export function html(page: string, status = 200): Answer {
  return raw(page, 'text/html; charset=utf-8', status);
}

export function text(content: string, status = 200): Answer {
  return raw(content, 'text/plain; charset=utf-8', status);
}

/** An answer whose body and type are given as they are. */
export function raw(body: string | Buffer, type: string, status = 200, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': type, ...headers }, body };
}

export function redirect(location: string, status = 301): Answer {
  return { status, headers: { location, 'content-type': 'text/html; charset=utf-8' }, body: 'Moved.' };
}

/** An answer that never arrives whole. */
export function faulty(fault: NonNullable<Answer['fault']>): Answer {
  return { ...json({ app: { software: 'loops' } }), fault };
}
