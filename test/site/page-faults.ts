import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Largest document, in bytes as transferred. */
const MAX_BYTES = 100_000;

/** Events that no page should cause. */
export interface Watch {
  /** Returns the events since the last call. */
  take(): string[];
}

/** Collects dialogs, console messages, errors, and requests to other hosts. Call it before the first page is opened; with `axe`, its rules can be tried. */
export async function watch(page: Page, { axe: isAudit = false } = {}): Promise<Watch> {
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
  if (isAudit) await page.addInitScript({ content: axe.source });
  return { take: () => events.splice(0) };
}

/** All rules of axe, those whose result depends on colours and width, or none. */
export type AxeRules = 'all' | 'visual' | 'none';
const RULES: Record<AxeRules, string | null> = {
  all: 'inspection.axeFaults()',
  visual:
    'inspection.axeFaults(["color-contrast", "target-size", "scrollable-region-focusable", "link-in-text-block"])',
  none: null,
};

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
  if (RULES[rules] !== null) faults.push(...((await page.evaluate(RULES[rules])) as string[]));
  return faults;
}
