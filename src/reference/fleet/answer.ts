/** One HTTP answer of a fleet host, as data. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
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
