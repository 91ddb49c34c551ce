import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { authorizeQuery, createConsentVisitor, outOfBand, type PageAnswer, register } from '../consent-visitor.ts';

let server: ReferenceServer;
/** One answer for each kind of consent page, and a redirect. */
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
});
afterAll(async () => server.close());

describe('every consent page', () => {
  it('cannot be framed, nor can its redirect', () => {
    for (const [name, { headers }] of Object.entries(pages)) {
      expect([name, headers.get('x-frame-options')]).toEqual([name, 'DENY']);
      expect(headers.get('content-security-policy')?.split(';')).toContain("frame-ancestors 'none'");
    }
  });

  it('runs no script and loads nothing but its own style', () => {
    for (const [name, { headers, text }] of Object.entries(pages)) {
      const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1];
      const digest = createHash('sha256')
        .update(style ?? '')
        .digest('base64');
      if (name !== 'redirect') expect(headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`);
      const directives = headers
        .get('content-security-policy')
        ?.split(';')
        .map((rule) => rule.split(' ')[0]);
      expect([name, directives]).toEqual([name, ['default-src', 'style-src', 'frame-ancestors', 'base-uri']]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).not.toMatch(/<script|<img|<link|<iframe|\sstyle="|\son\w+="/);
    }
  });

  it('sends no referrer, is neither cached nor sniffed, and can be a popup of the client', () => {
    for (const [name, { headers }] of Object.entries(pages)) {
      expect([
        name,
        headers.get('referrer-policy'),
        headers.get('cache-control'),
        headers.get('x-content-type-options'),
        headers.get('cross-origin-opener-policy'),
        headers.get('strict-transport-security'),
        headers.get('access-control-allow-origin'),
      ]).toEqual([name, 'no-referrer', 'no-store', 'nosniff', null, null, null]);
    }
  });
});
