import { describe, expect, it } from 'vitest';
import { shorten, show } from '../../src/conform/judgements/judge.ts';
import { createRedactor } from '../../src/conform/redact.ts';

const PASSWORD = `p"a's<s>&+ w`;
const base = 'http://127.0.0.1:8089';
const jsonHeaders = { 'content-type': 'application/json' };

type ProbeExchange = Parameters<typeof createRedactor>[0][number];

function exchange(
  path: string,
  answer: unknown,
  { status = 200, ...request }: Partial<ProbeExchange['request']> & { status?: number } = {},
): ProbeExchange {
  return {
    probe: 'token',
    request: { method: 'POST', url: `${base}${path}`, headers: {}, body: null, ...request },
    startedAt: '2026-01-01T00:00:00.000Z',
    ms: 1,
    answer: {
      status,
      headers: Object.entries(jsonHeaders),
      isUtf8: true,
      text: typeof answer === 'string' ? answer : JSON.stringify(answer),
    },
    failure: null,
  };
}

const redactorOf = (...exchanges: ProbeExchange[]) => createRedactor(exchanges, { password: PASSWORD }, [base]);
const redactorOfTokens = (answer: unknown) => redactorOf(exchange('/oauth/token', answer));

describe('a secret is removed', () => {
  it.each<[string, unknown, string]>([
    ['with a plus sign', { access_token: 'abcd+ef/gh==' }, 'abcd+ef/gh=='],
    ['under a name in camel case', { accessToken: 'abcdefgh1', data: { clientSecret: 'secret-123' } }, 'secret-123'],
    ['below an object or a list', { access_token: [{ value: 'abcdefgh1' }], x: 1 }, 'abcdefgh1'],
    ['in an object that is wrapped', { data: { refresh_token: 'abcdefgh1' } }, 'abcdefgh1'],
    ['in Base64', { access_token: 'abcd+ef/gh==' }, Buffer.from('abcd+ef/gh==').toString('base64')],
    ['in text that is not JSON', '{"access_token":"abcdefgh1",', 'abcdefgh1'],
  ])('%s', (_what, answer, secret) => {
    const text = redactorOfTokens(answer).text(`my token is ${secret}, or ${encodeURIComponent(secret)}`);
    // The padding of Base64 may stay.
    expect(text).toMatch(/^my token is \[\w+\](?:=*), or \[\w+\](?:%3D)*$/);
  });

  // Each case is the password in one encoding.
  it.each([
    ['HTML with named character references', 'p&quot;a&apos;s&lt;s&gt;&amp;+ w'],
    ['HTML with numeric character references', 'p&#34;a&#039;s&#60;s&#x3E;&#38;+ w'],
    ['HTML as PHP writes it', 'p&quot;a&#39;s&lt;s>&amp;+ w'],
    ['a form', `${new URLSearchParams({ x: PASSWORD })}`.slice(2)],
    ['a URL', encodeURIComponent(PASSWORD)],
    ['JSON', JSON.stringify(PASSWORD).slice(1, -1)],
    ['JSON with escapes', String.raw`p\u0022a\u0027s\u003Cs\u003e\u0026+ w`],
  ])('in %s', (_encoding, encodedPassword) => {
    expect(redactorOf().text(`x ${encodedPassword} y`)).toBe('x [password] y');
  });

  it('before a long value is shortened', () => {
    const token = 'a-secret-token-that-the-limit-of-120-characters-would-cut';
    const message = show(`${'p'.repeat(110)}${token}`);
    const text = shorten(redactorOfTokens({ access_token: token }).text(message));
    expect(text).toBe(`"${'p'.repeat(110)}[access_…`);
  });

  it('in headers: the secret of a client with HTTP Basic, and a CSRF token', () => {
    const sent = `Basic ${Buffer.from('id:a secret value').toString('base64')}`;
    const recorded = exchange('/oauth/token', {}, { headers: { authorization: sent } });
    recorded.answer = {
      isUtf8: true,
      status: 200,
      headers: [['x-csrf-token', 'CsrfSecret123==']],
      text: 'CsrfSecret123== a secret value',
    };
    const redacted = redactorOf(recorded).exchange(recorded);
    expect(redacted.request.headers.authorization).toBe('Basic [secret]');
    expect(redacted.answer).toMatchObject({ headers: [['x-csrf-token', '[secret]']] });
    expect(redacted.answer?.text).toBe('[x-csrf-token] [client_secret]');
  });
});

describe('a word that the server or a request uses is no secret', () => {
  it.each([
    [
      'if it is in an error',
      exchange('/oauth/token', { error: 'invalid_request', code: 'invalid_request' }, { status: 400 }),
      { error: 'invalid_request', code: 'invalid_request' },
    ],
    [
      'if the answer is neither to a token request nor to a registration',
      exchange('/api/v1/config', { token: 'invalid_request', password: 'invalid_request' }),
      { token: 'invalid_request', password: 'invalid_request' },
    ],
    [
      'outside the field of a token that is as short as a word',
      exchange('/oauth/token', { access_token: 'request' }),
      { access_token: '[access_token]' },
    ],
  ])('%s', (_what, recorded, redacted) => {
    expect(redactorOf(recorded).text('`error` is "invalid_request"')).toBe('`error` is "invalid_request"');
    expect(redactorOf(recorded).exchange(recorded).answer?.text).toBe(JSON.stringify(redacted));
  });

  it('if it is in the base URL, or in a request with nothing that the server chose', () => {
    const config = {
      ...exchange('/api/v1/config', {}, { headers: { accept: 'application/json' } }),
      probe: 'config',
    } as const;
    const answer = { access_token: base, refresh_token: 'application/json', client_secret: '127.0.0.1' };
    const redactor = redactorOf(config, exchange('/oauth/token', answer));
    expect(redactor.exchange(config)).toEqual(config);
  });
});
