import type { Exchange } from '../exchange.ts';

/** Whether the body is a page, whatever its content type says. */
export function isHtml({ body }: Pick<Exchange, 'body'>): boolean {
  const start = new TextDecoder().decode(body.subarray(0, 512));
  return /^\s*<(?:!doctype html|html|head|title|body|!--|h1|p>|center|div|script|meta)/i.test(start);
}
