import type { ProbeExchange } from '../exchange.ts';
import { headerOf } from '../exchange.ts';

/** The exchanges as an HTTP archive (HAR 1.2), which the network tools of browsers open. */
export function exchangesHar(exchanges: readonly ProbeExchange[], tool: string): string {
  const [name = tool, version = ''] = tool.split(' ');
  const log = { version: '1.2', creator: { name, version }, entries: exchanges.map(entryOf) };
  return `${JSON.stringify({ log }, null, 2)}\n`;
}

function entryOf({ probe, request, startedAt, ms, answer, failure }: ProbeExchange): object {
  const query = [...(URL.parse(request.url)?.searchParams ?? [])].map(([name, value]) => ({ name, value }));
  const origin = probe.startsWith('scenario ') ? probe : `probe ${probe}`;
  const type = request.headers['content-type'] ?? '';
  const size = answer === null ? -1 : Buffer.byteLength(answer.text);
  return {
    startedDateTime: startedAt,
    time: ms,
    comment: failure === null ? origin : `${origin}: ${failure}`,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: nameValuePairs(Object.entries(request.headers)),
      queryString: query,
      headersSize: -1,
      bodySize: request.body === null ? 0 : Buffer.byteLength(request.body),
      ...(request.body === null ? {} : { postData: { mimeType: type, text: request.body } }),
    },
    response: {
      // Browsers record a request without an answer with the status 0.
      status: answer?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: nameValuePairs(answer?.headers ?? []),
      content: {
        size,
        mimeType: answer === null ? '' : (headerOf(answer, 'content-type') ?? ''),
        text: answer?.text ?? '',
      },
      redirectURL: answer === null ? '' : (headerOf(answer, 'location') ?? ''),
      headersSize: -1,
      bodySize: size,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  };
}

function nameValuePairs(headers: readonly (readonly [string, string])[]): { name: string; value: string }[] {
  return headers.map(([name, value]) => ({ name, value }));
}
