import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { styleText } from 'node:util';
import type { Page } from 'playwright-core';
import { reportView } from '../../src/check/report-view.ts';
import type { Paint } from '../../src/model/text/terminal-text.ts';
import { createFleet } from '../../src/reference/index.ts';
import { reportText } from '../../src/report/text.ts';
import { hostileReport, SAMPLES } from '../check/sample-reports.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { repository, run } from '../process/run-cli.ts';
import { launchBrowser } from './launch-browser.ts';
import { renderTerminal } from './picture-of-terminal.ts';

/**
 * `node test/browser/take-check-screenshots.ts FOLDER`: creates PNGs of the terminal report of each sample, and of real checks of
 * a fleet in a terminal; dark and light, with and without colour.
 */
const folder = process.argv[2] ?? '';
mkdirSync(folder, { recursive: true });
await using browser = await launchBrowser();
await using context = await browser.newContext();
const page = await context.newPage();
const paints: [name: string, paint: Paint][] = [
  ['colour', (styles, text) => styleText([...styles], text, { validateStream: false })],
  ['plain', (_styles, text) => text],
];
for (const [name, report] of Object.entries({ ...SAMPLES, hostile: hostileReport })) {
  for (const columns of [40, 80, 120]) {
    for (const [style, paint] of paints) {
      await take(page, `${name}-${columns}`, style, reportText(reportView(report()), { columns, paint }), columns);
    }
  }
}

const htmlContentType = { fault: 'content-type' as const, value: 'text/html' };
const fleet = await createFleet({
  file: {
    hosts: [
      { name: 'loops.example' },
      {
        name: 'faulty.example',
        faults: [
          { route: '/api/v1/config', ...htmlContentType },
          { route: '/nodeinfo/2.0', fault: 'invalid-json' },
        ],
      },
      { name: 'other.example', kind: 'mastodon' },
      { name: 'expired.example', certificate: 'expired' },
    ],
  },
  log: false,
});
const home = createFleetHome(fleet);
for (const { domain } of fleet.hosts) {
  for (const columns of [80, 120]) {
    for (const style of ['colour', 'plain']) {
      const command = `stty cols ${columns}; "${process.execPath}" "${repository}src/cli.ts" check ${domain} --config "${home.settingsFile}"`;
      const env = style === 'plain' ? { NO_COLOR: '1' } : { NO_COLOR: undefined, TERM: 'xterm-256color' };
      const { stdout } = await run('script', ['-qec', command, '/dev/null'], { env });
      await take(page, `real-${domain.split('.')[0]}-${columns}`, style, stdout.replaceAll('\r\n', '\n'), columns);
    }
  }
}
home[Symbol.dispose]();
await fleet.close();

async function take(target: Page, name: string, style: string, output: string, columns: number): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    const png = await renderTerminal(target, output, { columns, theme });
    writeFileSync(join(folder, `${name}-${theme}-${style}.png`), png);
  }
}
