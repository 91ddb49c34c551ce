import { describeAnswer } from '../evidence.ts';
import type { Exchange } from '../exchange.ts';
import type { SentAndReceived } from '../results.ts';

/** Characters of an answer that a report quotes. */
const MAX_QUOTE = 400;

/** A redacted exchange for a report. */
export function sentAndReceived({ request, answer, failure }: Exchange): SentAndReceived {
  const body = answer === null ? '' : answer.text.slice(0, MAX_QUOTE);
  const rest = answer === null || answer.text.length <= MAX_QUOTE ? '' : '…';
  return {
    request: `${request.method} ${request.url}`,
    sent: request.body,
    received: answer === null ? `nothing: ${failure}` : `${describeAnswer(answer)}\n${body}${rest}`.trim(),
    curl: curlOf(request),
  };
}

/** A command for a POSIX shell. */
export function curlOf({ method, url, headers, body }: Exchange['request']): string {
  return [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
