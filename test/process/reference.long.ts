import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openData } from '../../src/reference/data/open-data.ts';
import { createFleet, createReferenceServer, type ReferenceServer } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createConsentVisitor } from '../reference/consent-visitor.ts';
import { createFleetHome } from './fleet-home.ts';
import { run } from './run-cli.ts';
import { startCli, startReference } from './start-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (...args: string[]) => startReference(['--port', '0', ...args]);
/** Without `--json`: waits for the last of the commands that the server prints. */
const startWithText = (...args: string[]) => startReference(['--port', '0', ...args], /and request the account:\n.*\n/);
/** Writes a file and returns its path. */
const fileWith = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

/** The printed commands as a script, and the URL of the page to open. */
function printedCommands(text: string): { script: string; page: string } {
  const lines = text.slice(text.indexOf('\nTry:')).match(/^ {2}\S.*$/gm) ?? [];
  const page = lines.find((line) => line.startsWith('  http'))?.trim() ?? '';
  return { script: lines.filter((line) => !line.startsWith('  http')).join('\n'), page };
}

/** Runs a script in bash with one line of input; returns the JSON documents it prints. */
async function runScript(script: string, line: string): Promise<Record<string, unknown>[]> {
  const input = fileWith('input.txt', `${line}\n`);
  const { code, stdout, stderr } = await run('bash', ['-c', `bash ${fileWith('script.sh', `${script}\n`)} < ${input}`]);
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .replaceAll('}{', '}\n{')
    .split('\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text));
}

describe('reference', () => {
  test.for([
    ['spec', 'hasGifProvider'],
    ['live', 'hasKlipy'],
  ] as const)('serves the profile %s at the printed URL until SIGTERM', async ([profile, gifSwitch]) => {
    const { text, stop } = await startCli(['reference', '--port', '0', '--json', '--profile', profile]);
    expect(text.match(/\n/g)).toHaveLength(1);
    const { url } = JSON.parse(text);
    const config = (await (await fetch(`${url}/api/v1/config`)).json()) as { app: { software: string } };
    expect(config.app.software).toBe('loops');
    expect(config).toHaveProperty(gifSwitch);
    const { code, stdout, stderr } = await stop();
    expect([code, stdout, stderr]).toEqual([0, text, '']);
  });

  test('prints with --json accounts that can sign in, a token of the first, existing videos and a registered app', async () => {
    await using started = await start('--json', '--seed', '7');
    const { url, accounts, token, videos, caFile, app } = JSON.parse(started.text);
    expect([accounts.length, videos.length, caFile]).toEqual([4, 24, null]);
    for (const id of videos) {
      const video = (await (await fetch(`${url}/api/v1/video/${id}`)).json()) as { id: string };
      expect(video.id).toBe(id);
    }
    const headers = { authorization: `Bearer ${token}` };
    const self = await (await fetch(`${url}/api/v1/account/info/self`, { headers })).json();
    expect(self).toMatchObject({ data: { username: accounts[0].username, is_owner: true } });
    const query = `response_type=code&client_id=${app.client_id}&redirect_uri=${encodeURIComponent(app.redirect_uri)}`;
    for (const account of accounts) {
      const visitor = createConsentVisitor({ url } as ReferenceServer);
      const page = await visitor.signIn(query, account);
      expect([page.status, page.text.includes('id="password"')]).toEqual([200, false]);
    }
  });

  test('prints requests that work when pasted, down to the last, which reads the account of a token', async () => {
    await using started = await startWithText();
    expect(started.text).toMatch(/^Reference server at http:\/\/127\.0\.0\.1:\d+ \(profile spec\)/);
    const { script, page } = printedCommands(started.text);
    const visitor = createConsentVisitor({ url: new URL(page).origin } as ReferenceServer);
    const code = await visitor.codeFor(page.slice(page.indexOf('?') + 1));
    const [config, discovery, nodeInfo, video, self, app, token, account, ...more] = await runScript(script, code);
    expect(more).toEqual([]);
    expect(config).toMatchObject({ app: { software: 'loops' } });
    expect(discovery).toHaveProperty('links');
    expect(nodeInfo).toMatchObject({ software: { name: 'loops' } });
    expect(video).toHaveProperty('media');
    expect(self).toMatchObject({ data: { username: 'ada', is_owner: true } });
    expect(app).toHaveProperty('client_secret');
    expect(token).toMatchObject({ token_type: 'Bearer', scope: 'read' });
    expect(account).toMatchObject({ data: { username: 'ada', is_owner: true } });
  });

  test('prints requests to the control that set a fault and remove it', async () => {
    await using started = await startWithText('--control', '0');
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(started.text) ?? [];
    const [put = '', remove = '', ...more] = started.text.match(/^ {2}curl -sS -X .*$/gm) ?? [];
    expect(more).toEqual([]);
    const status = async () => (await fetch(`${url}/api/v1/config`)).status;
    expect(await runScript(put, '')).toEqual([[expect.objectContaining({ fault: 'server-error' })]]);
    expect(await status()).toBe(503);
    expect(await runScript(remove, '')).toEqual([[]]);
    expect(await status()).toBe(200);
  });

  test('serves TLS with --tls; the printed requests name the authority file, which is removed on exit', async () => {
    const { text, stop } = await startWithText('--tls', '--host', 'localhost');
    expect(text).toMatch(/^Reference server at https:\/\/localhost:\d+ /);
    const documents = await runScript(printedCommands(text).script, 'no code');
    expect(documents).toHaveLength(8);
    expect(documents[0]).toMatchObject({ app: { software: 'loops' } });
    const caFile = /--cacert (\S+)/.exec(text)?.[1] ?? '';
    expect(existsSync(caFile)).toBe(true);
    expect((await stop()).code).toBe(0);
    expect(existsSync(caFile)).toBe(false);
  });

  test('stores its data in the file of --database', async () => {
    const database = join(folder, 'kept.sqlite');
    const first = await start('--json', '--database', database, '--seed', '3');
    const before = JSON.parse(first.text);
    await first.stop();
    await using second = await start('--json', '--database', database);
    const after = JSON.parse(second.text);
    expect([after.accounts, after.videos, after.app]).toEqual([before.accounts, before.videos, before.app]);
    using kept = openData({ database });
    expect(kept.apps.count()).toBe(1);
    const { client_id, client_secret } = before.app;
    const body = JSON.stringify({ grant_type: 'client_credentials', client_id, client_secret });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${after.url}/oauth/token`, { method: 'POST', headers, body })).status).toBe(200);
  });

  test('reads every option of the library from the file of --options; flags override them', async () => {
    const options = fileWith('options.json', {
      profile: 'live',
      seed: 5,
      config: { app: { name: 'From a file' }, registration: false },
      missingConfigKeys: ['fyf'],
      usage: { users: { total: 77 } },
      robots: 'User-agent: *',
      rateLimit: null,
      delayMs: 1,
      lifetimes: { code: 30 },
      accounts: [{ username: 'kim', password: 'a secret' }],
      faults: [{ route: '/nodeinfo/2.1', fault: 'status', status: 418 }],
    });
    await using started = await start('--json', '--options', options, '--profile', 'spec');
    const { url, accounts, profile } = JSON.parse(started.text);
    expect(profile).toBe('spec');
    expect(accounts).toContainEqual({ username: 'kim', password: 'a secret' });
    const config = await (await fetch(`${url}/api/v1/config`)).json();
    expect(config).toMatchObject({ app: { name: 'From a file' }, registration: false, hasGifProvider: false });
    expect(config).not.toHaveProperty('fyf');
    expect(await (await fetch(`${url}/nodeinfo/2.0`)).json()).toMatchObject({ usage: { users: { total: 77 } } });
    expect(await (await fetch(`${url}/robots.txt`)).text()).toBe('User-agent: *');
    expect((await fetch(`${url}/nodeinfo/2.1`)).status).toBe(418);
  });
});

describe('reference --fleet', () => {
  test('prints the settings for a crawl of the fleet, which visits every host, and the expected results', async () => {
    await using started = await startCli(['reference', '--fleet', '60', '--json']);
    const { settings, hosts } = JSON.parse(started.text);
    await using unrelated = await createFleet({ hosts: 1, mix: { mastodon: 1 } });
    using home = createFleetHome(unrelated);
    writeFileSync(home.settingsFile, JSON.stringify(settings));
    const loops = hosts.filter(({ expect: { verdict } }: { expect: { verdict: string } }) => verdict === 'loops');
    const { code, stdout, stderr } = await runCommand(['crawl', '--json', '--config', home.settingsFile]);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ visited: hosts.length });
    expect(JSON.parse(stdout).byVerdict).toContainEqual({ name: 'loops', count: loops.length });
  });

  test('runs the hosts of a file, counts hosts without a prediction, and prints rows that reproduce the hosts', async () => {
    const fleet = fileWith('fleet.json', {
      hosts: [{ name: 'one.test' }, { kind: 'mastodon', count: 2 }, { faults: [{ route: '*', fault: 'close' }] }],
    });
    const { text, stop } = await startReference(['--fleet', fleet], /Hosts without an expected verdict: 1\..*\n/);
    expect(text).toMatch(/^4 virtual hosts on 127\.0\.0\.1:\d+, .*\n/);
    // `Try:` follows a sentence on the same line, and the settings, which are no command, are indented like the commands.
    const { script } = printedCommands(text.replace('. Try:', '.\nTry:').replace(/^ {2}\{.*\n/m, ''));
    expect(await runScript(script, '')).toMatchObject([{ app: { software: 'loops' } }]);
    expect((await stop()).code).toBe(0);

    await using first = await startReference(['--fleet', fleet, '--json']);
    const { hosts, settings } = JSON.parse(first.text);
    expect(settings.domains.allowSuffixes).toEqual(['test', 'example']);
    const rows = hosts.map(({ row }: { row: object }) => row);
    await using second = await startReference(['--fleet', fileWith('again.json', { hosts: rows }), '--json']);
    const again = JSON.parse(second.text).hosts;
    expect(again.map(({ row }: { row: object }) => row)).toEqual(rows);
  });
});

test('reference exits with 2 and one clear sentence when the port is in use', async () => {
  await using server = await createReferenceServer();
  for (const args of [[], ['--fleet', '3']]) {
    const { code, stderr } = await runCommand(['reference', '--port', `${server.port}`, ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^loopscout: .*port \d+ is in use; .*\n$/)]);
  }
});
