import type { Exchange } from '../exchange.ts';

/** The media type of an answer in small letters, without its parameters; null when it has none. */
export function contentTypeOf({ headers }: Pick<Exchange, 'headers'>): string | null {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  return type === undefined || type === '' ? null : type;
}
