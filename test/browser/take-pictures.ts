import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Page } from 'playwright-core';
import { createApp } from '../../src/app/app.ts';
import { checkDomain } from '../../src/app/check.ts';
import { reportView } from '../../src/check/report-view.ts';
import { fleetSettings } from '../../src/commands/reference-fleet.ts';
import { recordPast } from '../../src/demo/record-past.ts';
import { createLogger } from '../../src/logger.ts';
import { createFleet, type FleetFile } from '../../src/reference/index.ts';
import { reportText } from '../../src/report/text.ts';
import { listen } from '../../src/service/web-server.ts';
import { parseDomains } from '../../src/settings/parse-domains.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { repository } from '../process/run-cli.ts';
import { launchBrowser } from './launch-browser.ts';
import { renderTerminal } from './picture-of-terminal.ts';

/**
 * `npm run pictures [FOLDER [PORT [HOSTS]]]`: takes the pictures of the documents, with the text of the terminal, by default into `docs/images`. Time, seed and port of the fleets
 * are fixed, so that two runs give the same pictures; the past of a host depends on its name, of which the port is a part. 0: any free port.
 */
const [folder = join(repository, 'docs/images'), port = '24430', hosts = '240'] = process.argv.slice(2);
const NOW = Date.UTC(2026, 10, 20, 12);
const COLUMNS = 80;

mkdirSync(folder, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'loopscout-pictures-'));
try {
  await using browser = await launchBrowser();
  await using context = await browser.newContext({ viewport: { width: 1280, height: 1024 } });
  writeFileSync(join(folder, 'directory.png'), await pictureOfDirectory(await context.newPage()));
  writeFileSync(join(folder, 'check.png'), await pictureOfCheck(await context.newPage()));
} finally {
  rmSync(work, { recursive: true });
}

/** The directory of the fleet of `demo`, with its invented past. */
async function pictureOfDirectory(page: Page): Promise<Buffer> {
  await using fleet = await createFleet({ hosts: Number(hosts), port: Number(port) });
  const settings = loadSettings({
    cwd: work,
    env: {},
    flags: {
      ...fleetSettings(fleet),
      database: 'loopscout.sqlite',
      export: { dir: 'export' },
      serve: { port: 0, ratePerMinute: 0 },
    },
  });
  const logger = createLogger({ level: 'error', stream: process.stderr });
  const { signal } = new AbortController();
  const domains = parseDomains(
    fleet.hosts.map(({ domain }) => domain),
    settings,
  );
  await recordPast(settings, logger, { domains, now: NOW, signal });
  {
    await using app = await createApp(settings, logger, { now: () => NOW });
    await app.crawl({ signal, onCompleted: () => {} });
  }
  await using server = await listen({
    ...{ settings, logger, now: () => NOW },
    health: () => ({ status: 'ok', problems: [] }),
  });
  await withoutPort(page, fleet.port);
  await page.goto(server.url);
  return await page.screenshot();
}

/** Servers have no port in their names, except those of a fleet. */
async function withoutPort(page: Page, fleetPort: number): Promise<void> {
  await page.route('**/*', async (route) => {
    const response = await route.fetch();
    const type = response.headers()['content-type'] ?? '';
    if (!type.startsWith('text/html')) return route.fulfill({ response });
    return route.fulfill({ response, body: (await response.text()).replaceAll(`:${fleetPort}`, '') });
  });
}

/** What `check` prints of a server that has two faults. */
async function pictureOfCheck(page: Page): Promise<Buffer> {
  const file: FleetFile = {
    hosts: [
      {
        name: 'loops.example',
        faults: [
          // A reference server has no home page.
          {
            route: '/',
            fault: 'status',
            status: 200,
            body: '<!doctype html><title>Loops</title>',
            headers: { 'content-type': 'text/html' },
          },
          { route: '/api/v1/config', fault: 'invalid-json', how: 'html' },
          { route: '/nodeinfo/2.0', fault: 'content-type', value: 'text/html' },
        ],
      },
    ],
  };
  await using fleet = await createFleet({ file });
  const settings = loadSettings({ cwd: work, env: {}, flags: fleetSettings(fleet) });
  const [domain] = parseDomains(
    fleet.hosts.map((host) => host.domain),
    settings,
  );
  if (domain === undefined) throw new Error('the fleet has no host');
  const report = await checkDomain(settings, domain, { newestVersion: null, isForOperator: true });
  const plain = JSON.parse(JSON.stringify(report).replaceAll(`:${fleet.port}`, ''));
  const text = reportText(reportView({ ...plain, durationMs: 400, checkedAt: new Date(NOW).toISOString() }), {
    columns: COLUMNS,
    paint: (styles, part) => styleText([...styles], part, { validateStream: false }),
    quiet: true,
  });
  // The text shows whether the picture is up to date; its pixels depend on the fonts of the machine.
  // A new rule that finds nothing does not change it.
  const counted = stripVTControlCharacters(text).replace(/\d+ pass, \d+ not judged/, 'N pass, N not judged');
  writeFileSync(join(folder, 'check.txt'), counted);
  return await renderTerminal(page, text, { columns: COLUMNS, theme: 'dark' });
}
