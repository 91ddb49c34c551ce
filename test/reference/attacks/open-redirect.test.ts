import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  formOf,
  postForm,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

const evil = 'https://evil.example/phish';

let server: ReferenceServer;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server, { redirect_uris: [evil, 'com.evil.app:/in'] });
});
afterAll(async () => server.close());

const query = (changes: Record<string, string | undefined> = {}) =>
  authorizeQuery(app, { redirect_uri: evil, state: 's', ...changes });

/**
 * Faulty links to the server. Anyone can register an app with any redirect URI and publish such a link; an automatic redirect
 * would make the server an open redirector (RFC 9700 section 4.11.2).
 */
const links: [fault: string, link: () => string, error: string][] = [
  ['an unknown response_type', () => query({ response_type: 'x' }), 'unsupported_response_type'],
  ['no response_type', () => query({ response_type: undefined }), 'invalid_request'],
  ['an unknown scope', () => query({ scope: 'admin' }), 'invalid_scope'],
  ['a parameter twice', () => `${query()}&scope=read&scope=read`, 'invalid_request'],
  ['a challenge method without a challenge', () => query({ code_challenge_method: 'S256' }), 'invalid_request'],
];

describe('a link with the registered redirect URI of an attacker', () => {
  it.each(links)('and %s does not redirect a signed-out user', async (_fault, link) => {
    const visitor = createConsentVisitor(server);
    const page = await visitor.open(link());
    expect([page.status, page.headers.get('location')]).toEqual([200, null]);
    expect(page.text).toContain('id="password"');
    // The token of the sign-in form is not valid for the buttons of the other pages.
    for (const action of ['return', 'deny', 'approve']) {
      const answer = await visitor.submit(page, action);
      expect([action, answer.status, answer.headers.get('location')]).toEqual([action, 403, null]);
    }
  });

  it.each(links)(
    'and %s shows the target to a signed-in user, and redirects only if the button is pressed',
    async (_fault, link, error) => {
      const visitor = createConsentVisitor(server);
      const page = await visitor.signIn(link());
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      expect(page.text).toContain('<strong>evil.example</strong>');
      expect(page.text).toContain(`<code id="error">${error}</code>`);
      // No automatic redirect, and no link.
      expect(page.text).not.toMatch(/http-equiv|<a /);
      const { status, headers } = await visitor.submit(page, 'return');
      const to = new URL(headers.get('location') ?? '');
      expect([status, to.origin + to.pathname]).toEqual([303, evil]);
      expect([to.searchParams.get('error'), to.searchParams.get('state')]).toEqual([error, 's']);
    },
  );

  it('shows the scheme of a native app, and redirects to it only if the button is pressed', async () => {
    const link = query({ redirect_uri: 'com.evil.app:/in', scope: 'admin' });
    const visitor = createConsentVisitor(server);
    const page = await visitor.signIn(link);
    expect(page.headers.get('location')).toBeNull();
    expect(page.text).toContain('<strong>com.evil.app:</strong>');
    const { headers } = await visitor.submit(page, 'return');
    expect(headers.get('location')).toMatch(/^com\.evil\.app:\/in\?error=invalid_scope&/);
  });

  it('does not redirect to the app when the button is from another site, visitor, request or page', async () => {
    const visitor = createConsentVisitor(server);
    const link = query({ scope: 'admin' });
    const page = await visitor.signIn(link);
    const { token } = formOf(page);
    const url = `${server.url}/oauth/authorize?`;
    const headers = { cookie: visitor.cookie() };
    for (const answer of [
      await visitor.submit(page, 'return', {}, { origin: 'https://evil.example' }),
      await visitor.submit(page, 'return', {}, { 'sec-fetch-site': 'cross-site' }),
      await postForm(`${url}${link}`, { action: 'return' }, headers),
      await postForm(`${url}${query({ scope: 'other' })}`, { action: 'return', token }, headers),
      await createConsentVisitor(server).submit(page, 'return'),
    ]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null]);
    }
    // A button of another page only shows the page again.
    for (const action of ['approve', 'deny', 'other']) {
      const answer = await visitor.submit(page, action);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/oauth/authorize?${link}`]);
    }
    const consent = await visitor.open(query());
    const returned = await visitor.submit(consent, 'return');
    expect([returned.status, returned.headers.get('location')]).toEqual([303, `/oauth/authorize?${query()}`]);
  });
});
