import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { reportView } from '../../src/check/report-view.ts';
import { reportText } from '../../src/report/text.ts';
import { SAMPLES } from '../check/sample-reports.ts';
import { repository } from '../process/run-cli.ts';
import { startCli } from '../process/start-cli.ts';
import { launchBrowser } from './launch-browser.ts';
import { renderTerminal } from './picture-of-terminal.ts';

/** `node test/browser/take-readme-screenshots.ts`: creates the images of README.md, the directory of the demo and a report of `check`. */
const folder = join(repository, 'docs/images');
mkdirSync(folder, { recursive: true });
await using browser = await launchBrowser();
await using context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
const page = await context.newPage();

await using demo = await startCli(['demo', '--hosts', '240'], /^Open http:\S+\n/m);
await page.goto(/^Open (http:\S+)\n/m.exec(demo.text)?.[1] ?? '');
await page.screenshot({ path: join(folder, 'directory.png') });

const report = SAMPLES.broken();
const findings = report.findings.filter(({ severity }) => severity === 'fail').slice(0, 2);
const text = reportText(reportView({ ...report, findings }), {
  columns: 80,
  // The browser has no bold monospace font of the same width.
  paint: (styles, part) =>
    styleText(
      styles.filter((style) => style !== 'bold'),
      part,
      { validateStream: false },
    ),
  quiet: true,
});
const terminal = await context.newPage();
writeFileSync(join(folder, 'check.png'), await renderTerminal(terminal, text, { columns: 80, theme: 'dark' }));
