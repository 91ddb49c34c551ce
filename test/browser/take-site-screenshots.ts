import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './launch-browser.ts';

/**
 * `node test/browser/take-site-screenshots.ts FOLDER URL PATH...`: a PNG of each page of a running site in light and dark, at 360, 768 and
 * 1440 px.
 */
const [folder = '', base = '', ...paths] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await using browser = await launchBrowser();
await using context = await browser.newContext();
const page = await context.newPage();
for (const path of paths) {
  const name = path.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^_|_$/g, '') || 'directory';
  await page.goto(base + path);
  for (const width of [360, 768, 1440]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
    }
  }
}
