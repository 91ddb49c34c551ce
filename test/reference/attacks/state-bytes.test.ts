import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  formOf,
  type PageAnswer,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';
import { rawRequest } from '../raw-request.ts';

let server: ReferenceServer;
let app: RegisteredApp;
let cookie: string;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server);
  const visitor = createConsentVisitor(server);
  await visitor.signIn(authorizeQuery(app));
  cookie = visitor.cookie();
});
afterAll(async () => server.close());

const head = (path: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nCookie: ${cookie}\r\n`;

/** Approves a request with this raw state and returns the state in the redirect, both with one character per byte. */
async function stateAfterApproval(raw: string): Promise<string | undefined> {
  return stateIn(await locationAfter(`${authorizeQuery(app)}&state=${raw}`, 'approve'));
}

/** Like {@link stateAfterApproval}, for the error redirect of a faulty request. */
async function stateAfterError(raw: string): Promise<string | undefined> {
  return stateIn(await locationAfter(`${authorizeQuery(app, { response_type: 'token' })}&state=${raw}`, 'return'));
}

/** Opens the page of a request, presses a button and returns the redirect target. */
async function locationAfter(query: string, action: string): Promise<string | undefined> {
  const page = await rawRequest(server.url, `${head(`/oauth/authorize?${query}`)}\r\n`);
  const { target, token } = formOf({ text: page.body } as PageAnswer);
  const body = `token=${token}&action=${action}`;
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const answer = await rawRequest(
    server.url,
    `${head(target, 'POST')}${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return answer.header('location');
}

function stateIn(location: string | undefined): string | undefined {
  return location === undefined ? undefined : /[?&]state=(.*)$/.exec(location)?.[1];
}

/** The bytes that a form decoder sees, one character per byte. */
function bytesOf(raw: string): string {
  return raw
    .replaceAll('+', ' ')
    .replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe('state', () => {
  it.each([
    '%00',
    '%FF',
    '%ff%fe%00%80',
    'a+b',
    'a%2Bb',
    'a%20b',
    '%0d%0aSet-Cookie:%20x=y',
    '%F0%9F%92%A9',
    '%f0%9f%92%a9',
    "'%22",
    '!$()*,;:@/?-._~=',
    '==',
    '%26code=evil',
    '%23fragment',
    '%3Cscript%3Ealert(1)%3C/script%3E',
    '%252525',
    '',
    'x'.repeat(2_000),
    '%F0%9F%92%A9'.repeat(500),
  ])('%j comes back unchanged', async (raw) => {
    expect(await stateAfterError(raw)).toBe(raw);
    expect(await stateAfterApproval(raw)).toBe(raw);
  });

  it('with bytes that a URL does not allow comes back percent-encoded', async () => {
    for (const [raw, expected] of [
      ['"<>[]{}|\\^`', '%22%3C%3E%5B%5D%7B%7D%7C%5C%5E%60'],
      ['a#b', 'a%23b'],
      ['100%', '100%25'],
      ['%zz%', '%25zz%25'],
    ] as const) {
      expect([raw, await stateAfterError(raw)]).toEqual([raw, expected]);
      expect([raw, await stateAfterApproval(raw)]).toEqual([raw, expected]);
    }
  });

  it('of any bytes comes back with the same bytes, in characters that a URL allows', async () => {
    const piece = fc.oneof(
      { weight: 3, arbitrary: fc.nat({ max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`) },
      // Raw bytes, except those that end the request line or the parameter, and those that Node rejects.
      {
        weight: 3,
        arbitrary: fc
          .nat({ max: 255 })
          .filter((byte) => byte > 0x20 && byte < 0x7f && byte !== '&'.charCodeAt(0))
          .map((byte) => String.fromCharCode(byte)),
      },
      { weight: 1, arbitrary: fc.constantFrom('%', '%2', '+', '=', "'") },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
        const raw = pieces.join('');
        const [approved, withError] = await Promise.all([stateAfterApproval(raw), stateAfterError(raw)]);
        expect(approved).toMatch(/^[\w\-.~!$&'()*+,;=:@/?%]*$/);
        expect([bytesOf(approved ?? ''), approved]).toEqual([bytesOf(raw), withError]);
      }),
      { numRuns: 40 },
    );
  });

  it('with raw bytes beyond ASCII makes the request invalid', async () => {
    for (const raw of ['\xff', '\xf0\x9f\x92\xa9', 'a\x80']) {
      const path = `/oauth/authorize?${authorizeQuery(app, { response_type: 'token' })}&state=${raw}`;
      expect((await rawRequest(server.url, `${head(path)}\r\n`)).status).toBe(400);
    }
  });

  it('given twice is refused, and neither value comes back', async () => {
    expect(await locationAfter(`${authorizeQuery(app)}&state=a&st%61te=b`, 'return')).toMatch(
      /\?error=invalid_request&error_description=state[^&]*&iss=[^&]*$/,
    );
  });
});
