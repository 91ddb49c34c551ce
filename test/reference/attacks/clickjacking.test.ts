import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { authorizeQuery, createConsentVisitor, outOfBand, type PageAnswer, register } from '../consent-visitor.ts';

let server: ReferenceServer;
/** One answer for each kind of consent page, and the redirect to the client. */
const pages: Record<string, PageAnswer> = {};
beforeAll(async () => {
  server = await createReferenceServer();
  const app = await register(server, { redirect_uris: ['https://client.example/callback', outOfBand] });
  const query = authorizeQuery(app);
  const visitor = createConsentVisitor(server);
  pages.signIn = await visitor.open(query);
  pages.failed = await visitor.submit(pages.signIn, 'sign-in', { username: 'a', password: 'b' });
  pages.consent = await visitor.signIn(query);
  pages.faulty = await visitor.open(authorizeQuery(app, { scope: 'admin' }));
  pages.forged = await createConsentVisitor(server).submit(pages.consent, 'approve');
  pages.denied = await visitor.submit(await visitor.open(authorizeQuery(app, { redirect_uri: outOfBand })), 'deny');
  pages.code = await visitor.approve(authorizeQuery(app, { redirect_uri: outOfBand }));
  pages.refused = await visitor.open('client_id=unknown');
  pages.redirect = await visitor.submit(pages.consent, 'approve');
  const statuses = Object.entries(pages).map(([name, { status }]) => `${name} ${status}`);
  expect(statuses.join(', ')).toBe(
    'signIn 200, failed 422, consent 200, faulty 400, forged 403, denied 200, code 200, refused 400, redirect 303',
  );
});
afterAll(async () => server.close());

describe('every consent page', () => {
  it('cannot be framed, and neither can the redirect after it', () => {
    for (const [name, { headers }] of Object.entries(pages)) {
      expect([name, headers.get('x-frame-options')]).toEqual([name, 'DENY']);
      expect(headers.get('content-security-policy')?.split(';')).toContain("frame-ancestors 'none'");
    }
  });

  it('runs no script, loads no file and allows only its own inline style', () => {
    for (const [name, { headers, text }] of Object.entries(pages)) {
      const policy = headers.get('content-security-policy') ?? '';
      const directives = policy.split(';').map((directive) => directive.split(' ')[0]);
      expect([name, directives]).toEqual([name, ['default-src', 'style-src', 'frame-ancestors', 'base-uri']]);
      expect(policy).toContain("default-src 'none'");
      expect(text).not.toMatch(/<script|<img|<link|<iframe|\sstyle="|\son\w+="/);
      if (name === 'redirect') continue;
      const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
      const digest = createHash('sha256').update(style).digest('base64');
      expect(policy).toContain(`style-src 'sha256-${digest}'`);
    }
  });

  it('sends no referrer, is neither cached nor sniffed, and can be a popup of the client', () => {
    const expected = {
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      // This header would cut a popup off from the client that opened it.
      'cross-origin-opener-policy': null,
      // This header would apply to every server on localhost.
      'strict-transport-security': null,
      // This header would let scripts of other sites read the page.
      'access-control-allow-origin': null,
    };
    for (const [name, { headers }] of Object.entries(pages)) {
      const found = Object.fromEntries(Object.keys(expected).map((header) => [header, headers.get(header)]));
      expect([name, found]).toEqual([name, expected]);
    }
  });
});
