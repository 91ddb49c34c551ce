import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { authorizeQuery, createConsentVisitor, register } from '../consent-visitor.ts';

let server: ReferenceServer;
let query: string;
beforeAll(async () => {
  server = await createReferenceServer();
  query = authorizeQuery(await register(server));
});
afterAll(async () => server.close());

const account = seededAccounts()[0] ?? { username: '', password: '' };
const openPageWith = async (cookie: string) => (await createConsentVisitor(server).open(query, { cookie })).text;

describe('a planted session', () => {
  it('is replaced at sign-in', async () => {
    const victim = createConsentVisitor(server);
    const page = await victim.open(query);
    const planted = victim.cookie();
    expect((await victim.submit(page, 'sign-in', account)).status).toBe(303);
    expect(victim.cookie()).not.toBe(planted);
    expect(await openPageWith(planted)).toContain('id="password"');
    expect(await openPageWith(victim.cookie())).toContain('Approve');
  });

  it('of the attacker ends when the victim signs out of it and signs in', async () => {
    const attacker = createConsentVisitor(server);
    await attacker.signIn(query, seededAccounts()[1]);
    const planted = attacker.cookie();
    const victim = createConsentVisitor(server);
    for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
    const signOut = await victim.submit(await victim.open(query), 'sign-out');
    expect(signOut.status).toBe(303);
    await victim.signIn(query);
    expect(await openPageWith(planted)).toContain('id="password"');
  });

  it('with a malformed cookie is replaced at the first page', async () => {
    const name = `loops_session_${new URL(server.url).port}`;
    // A well-formed value has 43 characters.
    for (const value of ['', 'chosen', 'x'.repeat(42), 'x'.repeat(44), '"><script>', '%00']) {
      const page = await createConsentVisitor(server).open(query, { cookie: `${name}=${value}` });
      expect(page.headers.getSetCookie()).toEqual([expect.stringMatching(new RegExp(`^${name}=[\\w-]{43};`))]);
    }
  });
});
