import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededAccounts } from '../../../src/reference/seed/seeded.ts';
import { createReferenceServer, type ReferenceServer } from '../../../src/reference/server.ts';
import { authorizationUrl } from '../../browser/authorization-url.ts';
import { type SignIn, signIn } from '../../browser/consent.ts';
import { launchBrowser } from '../../browser/launch-browser.ts';
import { visitConsentPages } from '../../browser/visit-consent-pages.ts';
import { serveHttp } from '../../serve-http.ts';

let browser: Browser;
let server: ReferenceServer;
const account = seededAccounts()[0] as SignIn;

beforeAll(async () => {
  [browser, server] = await Promise.all([launchBrowser(), createReferenceServer()]);
}, 60_000);
afterAll(async () => {
  await Promise.all([browser?.close(), server?.close()]);
});

const variants = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 320, colorScheme: 'dark' },
] as const;

describe('the consent pages', () => {
  it('have no axe findings in light and dark, narrow and wide, and never scroll sideways', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript({ content: axe.source });
    const findings: string[] = [];
    const visited: string[] = [];
    for await (const name of visitConsentPages(page, server.url, account)) {
      visited.push(name);
      for (const { width, colorScheme } of variants) {
        await page.setViewportSize({ width, height: 720 });
        await page.emulateMedia({ colorScheme });
        const { violations, incomplete, passes } = (await page.evaluate(
          'axe.run({ resultTypes: ["violations", "incomplete"] })',
        )) as axe.AxeResults;
        expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['color-contrast', 'document-title']));
        const variant = `${name}, ${width} px, ${colorScheme}`;
        for (const { id, nodes } of [...violations, ...incomplete])
          findings.push(`${variant}: ${id} ${nodes.map(({ html }) => html)}`);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        if (overflow !== 0) findings.push(`${variant}: ${overflow} px too wide`);
      }
    }
    expect(findings).toEqual([]);
    expect(visited).toHaveLength(8);
  });

  it('load no other resources and log nothing to the console', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    const messages: string[] = [];
    const requested: string[] = [];
    const visited: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(String(error)));
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    for await (const name of visitConsentPages(page, server.url, account)) visited.push(name);
    expect(visited).toHaveLength(8);
    // Chromium itself logs every response with a status of 400 or above.
    expect(messages.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([]);
    expect(requested.filter((path) => !path.startsWith('/oauth/authorize') && path !== '/favicon.ico')).toEqual([]);
  });

  it('cannot be framed by another site and accept no form from one', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    let target = '';
    for await (const name of visitConsentPages(page, server.url, account)) {
      if (name !== 'consent') continue;
      target = page.url();
      break;
    }
    const forms = await page.locator('form').evaluateAll((elements) => elements.map((form) => form.outerHTML));
    expect(forms.length).toBeGreaterThan(0);
    await using attacker = await serveHttp((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      if (request.url === '/frame') response.end(`<iframe src="${target.replaceAll('&', '&amp;')}"></iframe>`);
      else response.end(forms.join(''));
    });
    const origin = `http://localhost:${attacker.port}`;
    await page.goto(`${origin}/frame`);
    const [, framed] = page.frames();
    expect(await framed?.locator('form').count()).toBe(0);

    // The forms even contain the hidden field of the real page, which another site cannot read.
    await page.goto(`${origin}/forms`);
    await page.locator('form').evaluateAll((elements, base) => {
      for (const form of elements) form.setAttribute('action', new URL(form.getAttribute('action') ?? '', base).href);
    }, target);
    const answer = page.waitForResponse((response) => response.url().startsWith(server.url));
    await page.getByRole('button', { name: 'Approve' }).click();
    const refusal = await answer;
    expect(refusal.status()).toBeGreaterThanOrEqual(400);
    expect(await page.locator('#code').count()).toBe(0);
  });

  it('send the code to a single-page client that opened them in a popup', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    await using client = await serveHttp((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(
        request.url?.startsWith('/callback')
          ? '<script>opener.postMessage(location.search, "*")</script>'
          : '<script>addEventListener("message", ({ data }) => { document.title = data; })</script><button>Connect</button>',
      );
    });
    const origin = `http://localhost:${client.port}`;
    const url = await authorizationUrl(server.url, { client_name: 'Page', redirect_uris: `${origin}/callback` });
    await page.goto(origin);
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(`void open(${JSON.stringify(url)})`),
    ]);
    await signIn(popup, account);
    await popup.getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => page.title()).toMatch(/^\?code=/);
  });

  it('keep the order of the words around an app name that contains a right-to-left override', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(await authorizationUrl(server.url, { client_name: '\u202eekaF' }));
    await signIn(page, account);
    const positions = await page.locator('h1').evaluate((heading) => {
      const left = (node: unknown) => {
        const range = heading.ownerDocument.createRange();
        if (node !== null) range.selectNodeContents(node);
        return range.getBoundingClientRect().left;
      };
      return { before: left(heading.firstChild), after: left(heading.lastChild) };
    });
    expect(positions.before).toBeLessThan(positions.after);
  });
});
