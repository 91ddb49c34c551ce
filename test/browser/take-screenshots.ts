import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededAccounts } from '../../src/reference/seed/seeded.ts';
import { createReferenceServer } from '../../src/reference/server.ts';
import type { SignIn } from './consent.ts';
import { launchBrowser } from './launch-browser.ts';
import { visitConsentPages } from './visit-consent-pages.ts';

/** `node test/browser/take-screenshots.ts FOLDER`: a PNG of each consent page in light and dark, at 320 px and 1280 px. */
const folder = process.argv[2] ?? '';
mkdirSync(folder, { recursive: true });
await using server = await createReferenceServer();
await using browser = await launchBrowser();
await using context = await browser.newContext();
const page = await context.newPage();
for await (const name of visitConsentPages(page, server.url, seededAccounts()[0] as SignIn)) {
  for (const width of [320, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 720 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
}
