import { describe, expect, it } from 'vitest';
import { fetchRelease, type ReleaseRequest } from '../../src/sources/release.ts';

const url = 'https://beacon.example.org/latest.json';
const { signal } = new AbortController();

function answering(text: string): ReleaseRequest['get'] {
  return async () => ({ ok: true, body: new TextEncoder().encode(text) });
}

describe('fetchRelease', () => {
  it('requests the URL once and returns the version', async () => {
    const requested: string[] = [];
    const get: ReleaseRequest['get'] = (requestUrl, givenSignal) => {
      requested.push(requestUrl.href);
      expect(givenSignal).toBe(signal);
      return answering('{"version":"v1.0.0-beta.14"}')(requestUrl, givenSignal);
    };
    expect(await fetchRelease({ url, get, signal })).toEqual({ ok: true, version: '1.0.0-beta.14' });
    expect(requested).toEqual([url]);
  });

  it.each([
    ['JSON with a byte order mark', '\ufeff{"version":"1.2.3"}'],
    ['a JSON string', '"1.2.3"'],
    ['plain text', 'v1.2.3\n'],
  ])('reads the version from %s', async (_, text) => {
    expect(await fetchRelease({ url, get: answering(text), signal })).toEqual({ ok: true, version: '1.2.3' });
  });

  it.each([
    ['a web page', '<!doctype html><title>Loops</title>'],
    ['no text', ''],
    ['JSON without a version', '{"status":"ok"}'],
    ['deeply nested JSON', '['.repeat(100_000)],
    ['binary data', '\u0000\ufffd'],
  ])('reports a response without a version: %s', async (_, text) => {
    const answer = await fetchRelease({ url, get: answering(text), signal });
    expect(answer).toEqual({ ok: false, why: `${url} answers without a version` });
  });

  it('reports why the request failed', async () => {
    const get: ReleaseRequest['get'] = async () => ({ ok: false, why: 'nothing listens at the address' });
    expect(await fetchRelease({ url, get, signal })).toEqual({
      ok: false,
      why: `${url} does not answer: nothing listens at the address`,
    });
  });

  it('requests nothing after an abort', async () => {
    const get: ReleaseRequest['get'] = async () => {
      throw new Error('A request was sent.');
    };
    const answer = await fetchRelease({ url, get, signal: AbortSignal.abort() });
    expect(answer).toEqual({ ok: false, why: `${url} was not requested: stopping` });
  });
});
