import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import {
  authorizeQuery,
  createConsentVisitor,
  formOf,
  outOfBand,
  type PageAnswer,
  register,
} from '../consent-visitor.ts';

const payloads = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  '</title></style><script>alert(1)</script>',
  '&lt;script&gt;',
  '{{constructor.constructor("alert(1)")()}}',
  // In one literal, the linter would take this for a template.
  '!$'.concat('{alert(1)}'),
  '\u202egnp.exe',
];

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(async () => server.close());

/** The tag names of a page, to which injected values must not add any. */
const tags = ({ text }: PageAnswer) => [...text.matchAll(/<(\/?[a-z][a-z\d]*)/gi)].map(([, name]) => name);
/** The attributes of a page that run scripts, set a style or load a file; a page has none unless they were injected. */
const activeAttributes = ({ text }: PageAnswer) => [...text.matchAll(/\s(on\w+|style|src)\s*=/gi)];

describe('HTML injected into a page', () => {
  it.each(payloads)('as the name of the app and of the server is shown as text: %s', async (payload) => {
    const visitor = createConsentVisitor(server);
    const plain = await register(server, {
      client_name: 'Plain',
      redirect_uris: ['https://client.example/callback', outOfBand],
    });
    const evil = await register(server, {
      client_name: payload,
      redirect_uris: ['https://client.example/callback', outOfBand],
    });
    server.state.config.app.name = payload;
    const [expected, found] = [await visitor.open(authorizeQuery(plain)), await visitor.open(authorizeQuery(evil))];
    expect([tags(found), activeAttributes(found)]).toEqual([tags(expected), []]);
    await visitor.signIn(authorizeQuery(plain));
    for (const changes of [
      { redirect_uri: 'https://client.example/callback' },
      { redirect_uri: outOfBand },
      { scope: 'admin' },
    ]) {
      const [plainQuery, evilQuery] = [authorizeQuery(plain, changes), authorizeQuery(evil, changes)];
      const [plainPage, evilPage] = [await visitor.open(plainQuery), await visitor.open(evilQuery)];
      expect([tags(evilPage), activeAttributes(evilPage)]).toEqual([tags(plainPage), []]);
      expect(evilPage.text).toContain('<bdi>');
    }
    const [plainCode, evilCode] = [
      await visitor.approve(authorizeQuery(plain, { redirect_uri: outOfBand })),
      await visitor.approve(authorizeQuery(evil, { redirect_uri: outOfBand })),
    ];
    expect([tags(evilCode), activeAttributes(evilCode)]).toEqual([tags(plainCode), []]);
    server.state.config.app.name = 'Loops Reference';
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
      expect([tags(page), activeAttributes(page)]).toEqual([tags(plain), []]);
    }
    accounts.update(account.id, { name: account.name });
  });

  it('as the username of a failed sign-in is shown as text', async () => {
    const visitor = createConsentVisitor(server);
    const query = authorizeQuery(await register(server));
    const plain = await visitor.submit(await visitor.open(query), 'sign-in', { username: 'x', password: 'y' });
    for (const username of payloads) {
      const page = await visitor.submit(await visitor.open(query), 'sign-in', { username, password: 'y' });
      expect([tags(page), activeAttributes(page)]).toEqual([tags(plain), []]);
    }
  });

  it('as the state or another parameter stays inside the URL of the form', async () => {
    const app = await register(server);
    const plain = await createConsentVisitor(server).open(authorizeQuery(app));
    for (const payload of payloads) {
      for (const name of ['state', 'nonce', payload]) {
        const query = `${authorizeQuery(app)}&${encodeURIComponent(name)}=${encodeURIComponent(payload)}`;
        const page = await createConsentVisitor(server).open(query);
        expect([tags(page), activeAttributes(page)]).toEqual([tags(plain), []]);
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

  it('links the website of an app only if its scheme is http or https', async () => {
    for (const website of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'https:alert(1)',
    ]) {
      await expect(register(server, { website })).rejects.toThrow('422');
    }
    const { data } = server.state;
    const scriptApp = {
      name: 'A',
      website: 'javascript:alert(1)',
      redirectUris: ['https://client.example/callback'],
      scopes: ['read'],
    };
    const { app } = data.apps.register(scriptApp, 0);
    const page = await createConsentVisitor(server).signIn(authorizeQuery({ client_id: app.clientId } as never));
    expect(page.text).toContain('javascript:alert(1)');
    expect(page.text).not.toContain('<a ');
    const quoted = await register(server, { website: `https://a.example/"><script>alert(1)</script>` });
    const safe = await createConsentVisitor(server).signIn(authorizeQuery(quoted));
    expect(safe.text).not.toContain('<script');
  });
});
