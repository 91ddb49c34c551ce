import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { authorizationUrl } from './authorization-url.ts';
import { press, type SignIn, signIn } from './consent.ts';

/** A name with a very long word, markup, several scripts and an emoji. */
const oddName = `${'Longest'.repeat(16)} <b>"&'</b> عربي 日本語 👩🏽‍🎨`;

/** Navigates `page` through the consent flow and yields the name of each page while it is shown. */
export async function* visitConsentPages(page: Page, base: string, account: SignIn): AsyncGenerator<string> {
  const plain = await authorizationUrl(base, { client_name: 'Clip Viewer' });
  await page.goto(plain);
  yield 'sign-in';
  await signIn(page, { username: account.username, password: randomBytes(4).toString('hex') });
  yield 'sign-in-refused';
  await signIn(page, account);
  yield 'consent';
  await press(page, 'Approve');
  yield 'code';
  const odd = { client_name: oddName, redirect_uris: 'https://a.very.long.client.name.example/callback/of/the/client' };
  const website = `https://client.example/${'about/'.repeat(20)}`;
  const scope = 'read write follow';
  await page.goto(await authorizationUrl(base, { ...odd, website, scopes: scope }, { scope }));
  yield 'consent-odd-name-all-scopes';
  await page.goto(page.url().replace('response_type=code', 'response_type=token'));
  yield 'error-return';
  await page.goto(plain.replace(/client_id=[^&]*/, 'client_id=unknown'));
  yield 'error-unknown-client';
  await page.goto(plain.replace('response_type=code', 'response_type=token'));
  yield 'error-out-of-band';
}
