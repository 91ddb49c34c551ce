import { shellWord } from '../../report/shell-word.ts';
import { describeAnswer } from '../evidence.ts';
import type { ProbeExchange } from '../exchange.ts';
import type { SentAndReceived } from '../results.ts';

/** Characters of an answer that a report quotes. */
const MAX_QUOTE = 400;

/** What a report shows of an exchange, which must already be redacted; without the command that repeats it. */
export function sentAndReceived({ request, answer, failure }: ProbeExchange): SentAndReceived {
  const body = answer === null ? '' : answer.text.slice(0, MAX_QUOTE);
  const ellipsis = answer === null || answer.text.length <= MAX_QUOTE ? '' : '…';
  return {
    request: `${request.method} ${request.url}`,
    sent: request.body,
    received: answer === null ? `nothing: ${failure}` : `${describeAnswer(answer)}\n${body}${ellipsis}`.trim(),
    curl: null,
  };
}

/** The curl command, for a POSIX shell, that repeats a request. */
export function curlOf({ method, url, headers, body }: ProbeExchange['request']): string {
  return [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    shellWord(url),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellWord(body)}`]),
  ].join(' ');
}
