import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  formOf,
  outOfBand,
  type PageAnswer,
  type RegisteredApp,
  register,
} from '../consent-visitor.ts';

const payloads = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '</title></style><script>alert(1)</script>',
  '&lt;script&gt;',
  '{{constructor.constructor("alert(1)")()}}',
  // The unescaped placeholder of ghtml. In one literal, the linter would take it for a mistaken template.
  '!$'.concat('{alert(1)}'),
  '\u202egnp.exe',
];

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(async () => server.close());

/** The tag names of a page, to which injected values must not add any. */
const tagsOf = ({ text }: PageAnswer) => [...text.matchAll(/<(\/?[a-z][a-z\d]*)/gi)].map(([, name]) => name);
/** The attributes of a page that run scripts, set a style or load a file; a page has none unless they were injected. */
const activeAttributesOf = ({ text }: PageAnswer) => [...text.matchAll(/\s(on\w+|style|src)\s*=/gi)];

/** Opens a page of each kind that shows the names of the app and of the server. */
async function openPages(app: RegisteredApp): Promise<PageAnswer[]> {
  const visitor = createConsentVisitor(server);
  return [
    await visitor.open(authorizeQuery(app)),
    await visitor.signIn(authorizeQuery(app)),
    await visitor.open(authorizeQuery(app, { redirect_uri: outOfBand })),
    await visitor.open(authorizeQuery(app, { scope: 'admin' })),
    await visitor.approve(authorizeQuery(app, { redirect_uri: outOfBand })),
  ];
}

describe('HTML injected into a page', () => {
  it.each(payloads)('as the name of the app and of the server is shown as text: %s', async (payload) => {
    const redirect_uris = ['https://client.example/callback', outOfBand];
    const plainPages = await openPages(await register(server, { client_name: 'Plain', redirect_uris }));
    const { app } = server.state.config;
    const { name } = app;
    app.name = payload;
    const evilPages = await openPages(await register(server, { client_name: payload, redirect_uris }));
    app.name = name;
    expect(evilPages.map(tagsOf)).toEqual(plainPages.map(tagsOf));
    expect(evilPages.flatMap(activeAttributesOf)).toEqual([]);
    for (const { text } of evilPages) {
      const decoded = text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      // Once for the server, and at least once for the app.
      expect(decoded.split(`<bdi>${payload}</bdi>`).length - 1).toBeGreaterThanOrEqual(2);
    }
  });

  it('as the name of the account is shown as text', async () => {
    const { accounts } = server.state.data;
    const [account] = accounts.all();
    if (account === undefined) throw new Error('The seed gives no account.');
    const query = authorizeQuery(await register(server));
    const plain = await createConsentVisitor(server).signIn(query);
    for (const name of payloads) {
      accounts.update(account.id, { name });
      const page = await createConsentVisitor(server).signIn(query);
      expect([tagsOf(page), activeAttributesOf(page)]).toEqual([tagsOf(plain), []]);
    }
    accounts.update(account.id, { name: account.name });
  });

  it('as the username of a failed sign-in is shown as text', async () => {
    const visitor = createConsentVisitor(server);
    const query = authorizeQuery(await register(server));
    const plain = await visitor.submit(await visitor.open(query), 'sign-in', { username: 'x', password: 'y' });
    for (const username of payloads) {
      const page = await visitor.submit(await visitor.open(query), 'sign-in', { username, password: 'y' });
      expect([tagsOf(page), activeAttributesOf(page)]).toEqual([tagsOf(plain), []]);
    }
  });

  it('as the state or another parameter stays inside the URL of the form', async () => {
    const app = await register(server);
    const plain = await createConsentVisitor(server).open(authorizeQuery(app));
    for (const payload of payloads) {
      for (const name of ['state', 'nonce', payload]) {
        const query = `${authorizeQuery(app)}&${encodeURIComponent(name)}=${encodeURIComponent(payload)}`;
        const page = await createConsentVisitor(server).open(query);
        expect([tagsOf(page), activeAttributesOf(page)]).toEqual([tagsOf(plain), []]);
        // `fetch` percent-encodes the apostrophe, which encodeURIComponent leaves as it is.
        expect(formOf(page).target).toBe(`/oauth/authorize?${query.replaceAll("'", '%27')}`);
      }
    }
  });
});

describe('a consent page', () => {
  it('keeps a parameter named like an HTML entity in the URL of the form', async () => {
    const query = `${authorizeQuery(await register(server))}&copy&lt;&amp;quot`;
    const page = await createConsentVisitor(server).open(query);
    expect(page.text).toContain('&#38;copy&#38;lt;&#38;amp;quot"');
    expect(formOf(page).target).toBe(`/oauth/authorize?${query}`);
  });

  it('links the website of an app only if its scheme is http or https, and escapes it', async () => {
    for (const website of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'https:alert(1)',
    ]) {
      await expect(register(server, { website })).rejects.toThrow('422');
    }
    // Stored without the check of the registration.
    const scriptApp = {
      name: 'A',
      website: 'javascript:alert(1)',
      redirectUris: ['https://client.example/callback'],
      scopes: ['read'],
    };
    const { app } = server.state.data.apps.register(scriptApp, 0);
    const query = authorizeQuery({ client_id: app.clientId } as RegisteredApp);
    const page = await createConsentVisitor(server).signIn(query);
    expect(page.text).toContain('javascript:alert(1)');
    expect(page.text).not.toContain('<a ');
    const httpsApp = await register(server, { website: 'https://a.example/"><script>alert(1)</script>' });
    const { text } = await createConsentVisitor(server).signIn(authorizeQuery(httpsApp));
    expect(text).toContain('<a href="https://a.example/');
    expect(text).not.toContain('<script');
  });
});
