import { expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer } from '../../../src/reference/server.ts';
import { authorizeQuery, createConsentVisitor, register } from '../consent-visitor.ts';

const [ada = { username: '', password: '' }, noor] = seededAccounts();

async function startSignIn() {
  let now = Date.now();
  const server = await createReferenceServer({ now: () => now });
  const query = authorizeQuery(await register(server));
  return {
    [Symbol.asyncDispose]: server.close,
    advanceClock: (ms: number) => {
      now += ms;
    },
    attempt: async (fields: { username: string; password: string } = ada) => {
      const visitor = createConsentVisitor(server);
      return visitor.submit(await visitor.open(query), 'sign-in', fields);
    },
  };
}

it('after five failed sign-ins with a username, the server refuses that username until a minute after the first, like Loops', async () => {
  await using signIn = await startSignIn();
  const wrong = { ...ada, password: 'wrong' };
  for (let failure = 0; failure < 5; failure += 1) expect((await signIn.attempt(wrong)).status).toBe(422);
  // 39.5 seconds of the minute remain; Retry-After is rounded up.
  signIn.advanceClock(20_500);
  const refused = await signIn.attempt();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
  expect(refused.text).toContain('Too many login attempts. Please try again in 40 seconds.');
  expect((await signIn.attempt({ ...ada, username: ada.username.toUpperCase() })).status).toBe(429);
  expect((await signIn.attempt(noor)).status).toBe(303);
  signIn.advanceClock(40_000);
  expect((await signIn.attempt()).status).toBe(303);
});

it('a successful sign-in clears the earlier failures', async () => {
  await using signIn = await startSignIn();
  const wrong = { ...ada, password: 'wrong' };
  for (let failure = 0; failure < 4; failure += 1) await signIn.attempt(wrong);
  expect((await signIn.attempt()).status).toBe(303);
  for (let failure = 0; failure < 4; failure += 1) await signIn.attempt(wrong);
  expect((await signIn.attempt()).status).toBe(303);
});
