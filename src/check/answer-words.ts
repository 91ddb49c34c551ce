import { STATUS_CODES } from 'node:http';
import { REASONS } from '../record/reason.ts';
import { contentTypeOf } from './documents/content-type-of.ts';
import { isHtml } from './documents/is-html.ts';
import { showText } from './documents/show-text.ts';
import type { Exchange } from './exchange.ts';

/** What came of a request, for people: "404 Not Found as HTML", "no answer (...)". */
export function answerWords(exchange: Exchange): string {
  const { status, failure, headers, body } = exchange;
  const why = failure === null ? 'the connection was closed' : REASONS[failure].means;
  if (status === null) return `no answer (${why})`;
  if (failure !== null) return `${statusWords(status)} and no whole body (${why})`;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return `${statusWords(status)} to ${showText(headers.location)}`;
  }
  if (body.length === 0) return `${statusWords(status)} without a body`;
  const type = isHtml(exchange) ? 'HTML' : showText(contentTypeOf(exchange) ?? 'no content type');
  return `${statusWords(status)} as ${type}`;
}

function statusWords(status: number): string {
  const words = STATUS_CODES[status];
  return words === undefined ? String(status) : `${status} ${words}`;
}
