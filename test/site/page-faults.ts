import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Largest document, in bytes as transferred. */
const MAX_BYTES = 100_000;

/** Events that no page should cause. */
export interface Watch {
  /** Returns the events since the last call. */
  take(): string[];
}

/** Collects dialogs, console messages, errors, and requests to other hosts. Call it before the first page is opened. */
export async function watch(page: Page): Promise<Watch> {
  const events: string[] = [];
  page.on('dialog', (dialog) => {
    events.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => events.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => events.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') events.push(`request to another host: ${request.url()}`);
  });
  await page.addInitScript({ path: join(import.meta.dirname, 'in-browser.js') });
  return { take: () => events.splice(0) };
}

/** All rules of axe, those whose result depends on colours and width, or none. */
export type AxeRules = 'all' | 'visual' | 'none';
const VISUAL_RULES = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block'];

/** Opens a page and returns what is wrong with it. */
export async function faultsOf(
  page: Page,
  url: string,
  { status = 200, events, rules }: { status?: number | undefined; events: Watch; rules: AxeRules },
): Promise<string[]> {
  const faults: string[] = [];
  const response = await page.goto(url);
  if (response === null) return ['no response'];
  if (response.status() !== status) faults.push(`status ${response.status()}`);
  const { responseBodySize } = await response.request().sizes();
  if (responseBodySize > MAX_BYTES) faults.push(`${responseBodySize} bytes`);
  faults.push(...((await page.evaluate('inspection.faults()')) as string[]));
  // The browser itself logs an expected error status.
  const statusMessage = `console: Failed to load resource: the server responded with a status of ${status} `;
  faults.push(...events.take().filter((text) => status === 200 || !text.startsWith(statusMessage)));
  return rules === 'none' ? faults : [...faults, ...(await axeFaults(page, rules))];
}

/** Repeated elements of lists, which axe does not check: it takes a second for a hundred of them. */
const REPETITIONS = '.card:nth-child(n+7), tbody tr:nth-child(n+7)';

/** The findings of axe on the page as it is shown. */
async function axeFaults(page: Page, rules: Exclude<AxeRules, 'none'>): Promise<string[]> {
  const axe = new AxeBuilder({ page }).exclude(REPETITIONS).setLegacyMode();
  const { violations, passes } = await (rules === 'all' ? axe : axe.withRules(VISUAL_RULES)).analyze();
  const missing = passes.some(({ id }) => id === 'color-contrast') ? [] : ['axe did not check the contrast'];
  return [
    ...missing,
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`)),
  ];
}
