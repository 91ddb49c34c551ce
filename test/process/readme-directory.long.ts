import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { launchBrowser } from '../browser/launch-browser.ts';
import { runCommand } from '../commands/run-command.ts';
import { serveHttp } from '../serve-http.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { repository, run } from './run-cli.ts';
import { startCli } from './start-cli.ts';

const document = readFileSync(join(repository, 'docs/website.md'), 'utf8');
const [website = '', apiExample = ''] = [...document.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
const [, browserPage = ''] = /```html\n(.*?)```/s.exec(document) ?? [];

let fleet: Fleet;
let home: FleetHome;
beforeAll(async () => {
  const open = { registration: true };
  fleet = await createFleet({
    file: {
      hosts: [
        {
          name: 'open.example',
          config: { ...open, app: { name: '<script>alert(1)</script>' } },
          usage: { users: { total: 4 } },
        },
        {
          name: 'second.example',
          config: { ...open, app: { name: 'Second' } },
          usage: { users: { total: 3 } },
        },
        { name: 'closed.example', config: { registration: false, app: { name: 'Closed' } } },
      ],
    },
    log: false,
  });
  home = createFleetHome(fleet);
  expect((await runCommand(['crawl', '--config', home.settingsFile])).code).toBe(0);
}, 60_000);
afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
});

/** Serves the export folder with an ETag, and records the response statuses. */
async function serveExport() {
  const path = join(home.exportDir, 'instances.json');
  const statuses: number[] = [];
  const server = await serveHttp(({ headers }, response) => {
    const { mtimeMs, size } = statSync(path);
    const etag = `"${mtimeMs}-${size}"`;
    const isKnown = headers['if-none-match'] === etag;
    statuses.push(isKnown ? 304 : 200);
    response.writeHead(isKnown ? 304 : 200, { etag }).end(isKnown ? '' : readFileSync(path));
  });
  return { ...server, url: `${server.url}/instances.json`, statuses };
}

/** Runs the website of docs/website.md with another export URL, port and refresh interval. */
async function startWebsite(exportUrl: string): Promise<{ child: ChildProcess; url: string }> {
  const listen = ".listen(0, '127.0.0.1', function () { console.log(this.address().port); })";
  const code = website
    .replaceAll("'data/export/instances.json'", JSON.stringify(exportUrl))
    .replace('60_000', '50')
    .replace('.listen(3000)', listen);
  expect(code).toContain(listen);
  // Inside the package, `loopscout` resolves to the published build in dist.
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return { child, url: `http://127.0.0.1:${String(port).trim()}/` };
}

describe('the directory website of docs/website.md', () => {
  test('has at most twelve lines', () => {
    expect(website.trimEnd().split('\n').filter(Boolean).length).toBeLessThanOrEqual(12);
  });

  test('shows the joinable instances, escapes their texts, and revalidates without downloading the list again', async () => {
    await using exported = await serveExport();
    const { statuses } = exported;
    const { child, url } = await startWebsite(exported.url);
    try {
      const html = await (await fetch(url)).text();
      expect(html.match(/<li>/g)).toHaveLength(2);
      expect(html).toContain(
        `<a href="https://open.example:${fleet.port}">&#60;script&#62;alert(1)&#60;/script&#62;</a>: 4 users`,
      );
      expect(html).not.toContain('Closed');
      await expect.poll(() => statuses.length).toBeGreaterThan(3);
      expect(new Set(statuses.slice(1))).toEqual(new Set([304]));

      // A new export appears soon, and a failing server removes nothing.
      const path = join(home.exportDir, 'instances.json');
      const before = readFileSync(path, 'utf8');
      writeFileSync(path, before.replace('"Second"', '"Renamed"').replace(/"generatedAt":"\d/, '"generatedAt":"3'));
      await expect.poll(async () => (await fetch(url)).text()).toContain('Renamed');

      // In a tampered export, an invalid URL is not rendered as a link, and the other entries stay.
      const hostile = JSON.parse(before);
      const [, second] = hostile.instances.filter(({ name }: { name: string }) => name !== 'Closed');
      hostile.instances.push(
        { ...second, url: 'javascript:alert(2)' },
        { ...second, domain: '"><img src=x onerror=alert(3)>', url: 'https://"><img src=x onerror=alert(3)>' },
        { ...second, usage: { ...second.usage, users: '<img src=x onerror=alert(4)>' } },
        { ...second, name: '"\'><img src=x onerror=alert(5)>' },
      );
      writeFileSync(path, JSON.stringify(hostile));
      await expect.poll(async () => (await fetch(url)).text()).toContain('alert(5)');
      const cleaned = await (await fetch(url)).text();
      expect(cleaned.match(/<li>/g)).toHaveLength(3);
      expect(cleaned).not.toMatch(/<img|<script|javascript:|alert\([234]\)/);
      expect(
        cleaned
          .match(/<[a-z!][^>]*>/g)
          ?.filter((tag) => !/^<(?:!doctype html|title|ul|li|a href="https:[^"<>\s]*")>$/.test(tag)),
      ).toEqual([]);
      writeFileSync(path, '<h1>503</h1>');
      const requestsBefore = statuses.length;
      await expect.poll(() => statuses.length).toBeGreaterThan(requestsBefore + 2);
      expect(await (await fetch(url)).text()).toBe(cleaned);
      writeFileSync(path, before);
    } finally {
      child.kill();
    }
  });

  test('can read with one file that needs no package, made by the command of the document', async () => {
    const [, command = ''] = /^npm run build && (npx rolldown .*)$/m.exec(document) ?? [];
    const file = join(home.folder, 'loopscout-read.js');
    const { code, stderr } = await run('sh', ['-c', command.replace('loopscout-read.js', file)], { cwd: repository });
    expect([code, stderr]).toEqual([0, '']);
    const { readInstances } = await import(/* @vite-ignore */ file);
    expect((await readInstances(join(home.exportDir, 'instances.json'))).instances).toHaveLength(3);
  });

  test('also works with the API, which answers 304 while nothing has changed', async () => {
    await using api = await startCli(['serve', '--json', '--config', home.settingsFile, '--set', 'serve.port=0']);
    const { url } = JSON.parse(api.text);
    const file = join(home.folder, 'joinable-instances.mjs');
    writeFileSync(file, apiExample);
    const { joinableInstances } = await import(/* @vite-ignore */ file);
    const statuses: number[] = [];
    const realFetch = globalThis.fetch;
    globalThis.fetch = async (...request) => {
      const response = await realFetch(...request);
      statuses.push(response.status);
      return response;
    };
    try {
      const first = await joinableInstances(url);
      expect(first.map(({ domain }: { domain: string }) => domain.split(':')[0])).toEqual([
        'open.example',
        'second.example',
      ]);
      expect(await joinableInstances(url)).toBe(first);
      expect(statuses).toEqual([200, 304]);
    } finally {
      globalThis.fetch = realFetch;
    }
  });

  test('also works as a page in the browser, with the API on another origin', async () => {
    await using api = await startCli(['serve', '--json', '--config', home.settingsFile, '--set', 'serve.port=0']);
    const local = browserPage.replace('http://127.0.0.1:8080', JSON.parse(api.text).url);
    await using server = await serveHttp((_request, response) => {
      response.setHeader('content-type', 'text/html').end(local);
    });
    const browser = await launchBrowser();
    try {
      const tab = await browser.newPage();
      await tab.goto(server.url);
      await tab.getByRole('link').first().waitFor();
      expect(await tab.getByRole('listitem').allTextContents()).toEqual([
        '<script>alert(1)</script>: 4 users',
        'Second: 3 users',
      ]);
      expect(await tab.getByRole('link').first().getAttribute('href')).toBe(`https://open.example:${fleet.port}`);
      await api.stop();
      // Another page has a cache of its own.
      const later = await browser.newPage();
      await later.goto(tab.url());
      await later.getByText('The list cannot be loaded').waitFor();
    } finally {
      await browser.close();
    }
  });
});
