import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  formOf,
  type PageAnswer,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';
import { type RawAnswer, rawRequest } from '../raw-request.ts';

let server: ReferenceServer;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server);
});
afterAll(async () => server.close());

const injections = [
  '%0d%0aX-Injected:%20yes',
  '%0aX-Injected:%20yes',
  '%0d%0a%0d%0aX-Injected',
  // U+560D and U+560A, whose low bytes are CR and LF.
  '%E5%98%8D%E5%98%8AX-Injected:yes',
  '\rX-Injected:yes',
];
const parameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'other',
];

/**
 * Expects an answer below 500, without an injected header and with a Location of visible ASCII characters.
 * @param attack shown by a failure.
 */
function expectNoInjection(attack: unknown, { status, lines, header }: RawAnswer): void {
  const injected = lines.filter((line) => /^x-injected/i.test(line));
  expect([attack, injected, status >= 200 && status < 500]).toEqual([attack, [], true]);
  expect(header('location') ?? '').toMatch(/^[\x21-\x7e]*$/);
}

describe('a line break injected into a header', () => {
  it.each(parameters)('by the authorization parameter %s is not written', async (name) => {
    const visitor = createConsentVisitor(server);
    await visitor.signIn(authorizeQuery(app));
    const head = `HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nCookie: ${visitor.cookie()}\r\n`;
    const type = 'Content-Type: application/x-www-form-urlencoded';
    let redirectCount = 0;
    for (const injection of injections) {
      // The wrong response_type leads to a page with a button that redirects to the app.
      const query = authorizeQuery(app, { response_type: 'token' });
      const value = (name === 'redirect_uri' ? encodeURIComponent('https://client.example/callback') : '') + injection;
      // The parameter is replaced, so that it is not given twice.
      const path = `/oauth/authorize?${query.replace(new RegExp(`(^|&)${name}=[^&]*`), '$1')}&${name}=${value}`;
      const page = await rawRequest(server.url, `GET ${path} ${head}\r\n`);
      expectNoInjection([name, injection], page);
      if (!page.body.includes('value="return"')) continue;
      const { target, token } = formOf({ text: page.body } as PageAnswer);
      const body = `action=return&token=${token}`;
      const request = `POST ${target} ${head}${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const redirect = await rawRequest(server.url, request);
      expectNoInjection([name, injection], redirect);
      expect(redirect.status).toBe(303);
      redirectCount += 1;
    }
    // The last injection is not HTTP. A wrong client or redirect URI never redirects.
    expect(redirectCount).toBe(name === 'client_id' || name === 'redirect_uri' ? 0 : injections.length - 1);
  });

  it('by a field of the sign-in form, or of a token, revocation or registration request, is not written', async () => {
    const visitor = createConsentVisitor(server);
    const page = await visitor.open(authorizeQuery(app));
    const { target, token } = formOf(page);
    const { username = '' } = seededAccounts()[0] ?? {};
    const send = (path: string, body: string) =>
      rawRequest(
        server.url,
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nCookie: ${visitor.cookie()}\r\n` +
          `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    for (const injection of injections) {
      for (const name of ['username', 'password', 'action', 'token']) {
        const fields = { token, action: 'sign-in', username, password: 'x' } as Record<string, string>;
        fields[name] += injection;
        const body = Object.entries(fields).map(([key, value]) => `${key}=${value}`);
        expectNoInjection([name, injection], await send(target, body.join('&')));
      }
      for (const name of [
        'grant_type',
        'client_id',
        'client_secret',
        'code',
        'redirect_uri',
        'scope',
        'code_verifier',
        'token',
      ]) {
        expectNoInjection(
          [name, injection],
          await send('/oauth/token', `grant_type=authorization_code&client_id=a&${name}=${injection}`),
        );
        expectNoInjection([name, injection], await send('/oauth/revoke', `client_id=a&${name}=${injection}`));
      }
      const registration = `client_name=a&redirect_uris=${injection}&website=${injection}`;
      expectNoInjection(['registration', injection], await send('/api/v1/apps', registration));
    }
  });

  it('by a raw line break in the request line is not written', async () => {
    const path = `/oauth/authorize?${authorizeQuery(app, { response_type: 'token' })}&state=a\nX-Injected: yes`;
    const answer = await rawRequest(server.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expectNoInjection('request line', answer);
  });

  it('by a session cookie or an Authorization header is not written', async () => {
    const cookieName = `loops_session_${new URL(server.url).port}`;
    for (const line of [
      `Cookie: ${cookieName}=a%0d%0aX-Injected: yes`,
      'Authorization: Bearer a%0d%0aX-Injected: yes',
    ]) {
      for (const path of [`/oauth/authorize?${authorizeQuery(app)}`, '/api/v1/account/info/self']) {
        const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${line}\r\n\r\n`;
        expectNoInjection(line, await rawRequest(server.url, request));
      }
    }
  });

  it('by a redirect URI is refused at the registration', async () => {
    for (const uri of [
      'https://a.example/\r\nX-Injected: yes',
      'https://a.example/\rX',
      'https://a.example/\u0085X',
      'https://a.example/\u560d',
    ]) {
      await expect(register(server, { redirect_uris: [uri] })).rejects.toThrow('422');
    }
  });
});
