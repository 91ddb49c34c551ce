import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Largest document, in bytes as transferred. */
const MAX_BYTES = 100_000;

/** What a page did on its own since the last call of `take`. */
export interface Watch {
  take(): string[];
}

/** Collects dialogs, messages and requests to other hosts from now on. Call it before the first page. */
export async function watch(page: Page): Promise<Watch> {
  const seen: string[] = [];
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => seen.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') seen.push(`request to another host: ${request.url()}`);
  });
  await page.addInitScript({ path: join(import.meta.dirname, 'in-browser.js') });
  return { take: () => seen.splice(0) };
}

/** All rules of axe, or those whose result depends on colours and width. */
export type AxeRules = 'all' | 'visual';
const VISUAL_RULES = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block'];

/** Opens a page and returns what is wrong with it. */
export async function faultsOf(
  page: Page,
  url: string,
  { status = 200, seen, rules }: { status?: number | undefined; seen: Watch; rules: AxeRules },
): Promise<string[]> {
  const faults: string[] = [];
  const response = await page.goto(url);
  if (response === null) return ['no response'];
  if (response.status() !== status) faults.push(`status ${response.status()}`);
  const { responseBodySize } = await response.request().sizes();
  if (responseBodySize > MAX_BYTES) faults.push(`${responseBodySize} bytes`);
  faults.push(...((await page.evaluate('inspection.faults()')) as string[]));
  const known = `console: Failed to load resource: the server responded with a status of ${status} `;
  faults.push(...seen.take().filter((text) => status === 200 || !text.startsWith(known)));
  return [...faults, ...(await axeFaults(page, rules))];
}

/** Excluded, because lists repeat one structure, and axe takes a second for a hundred repetitions. */
const REPETITIONS = '.card:nth-child(n+7), tbody tr:nth-child(n+7)';

/** The findings of axe on the page as it is shown. */
async function axeFaults(page: Page, rules: AxeRules): Promise<string[]> {
  const axe = new AxeBuilder({ page }).exclude(REPETITIONS).setLegacyMode();
  const { violations, passes } = await (rules === 'all' ? axe : axe.withRules(VISUAL_RULES)).analyze();
  const missing = passes.some(({ id }) => id === 'color-contrast') ? [] : ['axe did not check the contrast'];
  return [
    ...missing,
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)),
  ];
}
