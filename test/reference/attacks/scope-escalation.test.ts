import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  exchangeOf,
  postJson,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

let server: ReferenceServer;
let app: RegisteredApp;
beforeAll(async () => {
  server = await createReferenceServer();
  app = await register(server, { scopes: 'read write' });
});
afterAll(async () => server.close());

describe('an escalation of scope', () => {
  it('beyond the registered scopes of the app is refused at the authorization', async () => {
    const visitor = createConsentVisitor(server);
    for (const scope of ['follow', 'read follow', 'read write follow', 'read  follow', 'read\u00a0follow', 'admin']) {
      const { headers } = await visitor.returnToApp(authorizeQuery(app, { scope }));
      expect(headers.get('location')).toContain('?error=invalid_scope&');
    }
  });

  it('beyond the approved scope is refused at the exchange, and the code stays valid', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(app, { scope: 'read' }));
    for (const scope of ['write', 'read write', 'follow', 'read admin', ' ']) {
      const { status, json } = await postJson(`${server.url}/oauth/token`, exchangeOf(app, code, { scope }));
      expect([scope, status, json.error]).toEqual([scope, 400, 'invalid_scope']);
    }
    expect((await postJson(`${server.url}/oauth/token`, exchangeOf(app, code))).json.scope).toBe('read');
  });

  it('between the page and the approval is refused, because the form is bound to the shown request', async () => {
    const visitor = createConsentVisitor(server);
    const page = await visitor.signIn(authorizeQuery(app, { scope: 'read' }));
    const tampered = { ...page, text: page.text.replace(/scope(&#61;|=)read/, 'scope=write') };
    expect(tampered.text).not.toBe(page.text);
    expect((await visitor.submit(tampered, 'approve')).status).toBe(403);
  });

  it('by a second scope parameter is refused', async () => {
    const query = authorizeQuery(app, { scope: 'read' });
    const visitor = createConsentVisitor(server);
    for (const second of ['scope=write', 'sc%6Fpe=write', 'scope=']) {
      const { headers } = await visitor.returnToApp(`${query}&${second}`);
      expect(headers.get('location')).toContain('?error=invalid_request&');
    }
  });

  it('of an app token beyond the registered scopes is refused', async () => {
    const { client_id, client_secret } = app;
    const body = { grant_type: 'client_credentials', client_id, client_secret };
    expect((await postJson(`${server.url}/oauth/token`, { ...body, scope: 'follow' })).json.error).toBe(
      'invalid_scope',
    );
  });

  it('from `write` to reading the account is refused', async () => {
    const code = await createConsentVisitor(server).codeFor(authorizeQuery(app, { scope: 'write' }));
    const { json } = await postJson(`${server.url}/oauth/token`, exchangeOf(app, code));
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await fetch(`${server.url}/api/v1/account/info/self`, { headers })).status).toBe(403);
  });
});
