import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  createReferenceServer,
  type FaultRule,
  type ReferenceServer,
  seededAccounts,
} from '../../src/reference/index.ts';
import { runCommand } from './run-command.ts';

const [ada] = seededAccounts();
const password = ada?.password ?? '';
let server: ReferenceServer;
let home: string;
beforeAll(async () => {
  server = await createReferenceServer({ config: { app: { software: 'Loops' } } });
  home = await mkdtemp(join(tmpdir(), 'loopscout-'));
});
afterAll(() => server.close());
afterEach(() => vi.unstubAllEnvs());

const conform = (...args: string[]) => runCommand(['conform', ...args], home);

it('conform fails with code 1 and names the broken clause', async () => {
  const { code, stdout } = await conform(server.url, '--only', '2.5');
  expect(code).toBe(1);
  expect(stdout).toContain('config.app.software.loops (section 2.5, must)');
  expect(stdout).toContain('Found: it is "Loops".');
});

it('conform passes with code 0 when the failure is expected, and fails when an expected failure passes', async () => {
  const known = join(home, 'known.json');
  await writeFile(known, '{"config.app.software.loops": "It is spelt so on purpose."}');
  expect(await conform(server.url, '--only', '2.5', '--expected', 'known.json')).toMatchObject({ code: 0 });
  await writeFile(known, '{"config.app.software.loops": "As above.", "config.fyf": "It was missing once."}');
  const { code, stdout } = await conform(server.url, '--only', '2.5', '--expected', 'known.json');
  expect(code).toBe(1);
  expect(stdout).toContain('Passed, but expected to fail');
  expect(stdout).toContain('config.fyf');
  expect(stdout).toContain('passes 1 clause that was expected to fail');
  expect(stdout).toContain(', 1 request in ');
});

it('conform signs in with the password from the environment, and writes every file and the job summary', async () => {
  vi.stubEnv('LOOPSCOUT_PASSWORD', password);
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(home, 'summary.md'));
  const { code, stdout } = await conform(
    server.url,
    '--only',
    '4.1',
    '--write',
    '--username',
    'ada',
    '--out',
    'results',
  );
  expect({ code, passed: stdout.includes('4.1  Authorization request  17 of 17') }).toEqual({ code: 0, passed: true });
  expect((await readdir(join(home, 'results'))).toSorted()).toEqual([
    ...['junit.xml', 'report.html', 'requests.har', 'results.json'],
  ]);
  expect(await readFile(join(home, 'summary.md'), 'utf8')).toContain('PASS');
  // The variable is not a setting, yet other commands do not refuse it as an unknown one.
  expect(await runCommand(['settings'], home)).toMatchObject({ code: 0 });
});

it('conform warns when the job summary cannot be written, and keeps the exit code', async () => {
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(home, 'missing', 'summary.md'));
  const { code, stderr } = await conform(server.url, '--only', '9');
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^warning: the summary of the job could not be written to .*\n$/),
  });
});

it('conform prints results as JSON', async () => {
  const { stdout } = await conform(server.url, '--only', '9', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ isConformant: true, clauses: [{ id: 'version.same', verdict: 'pass' }] });
});

it('conform lists clauses and requests without sending any', async () => {
  const list = await conform('--list', '--only', 'limits');
  expect(list.stdout).toContain('limits.max_bio_length (must)');
  const plan = await conform('http://127.0.0.1:1', '--dry-run', '--write');
  expect(plan.code).toBe(0);
  expect(plan.stdout).toContain('POST /api/v1/apps: registers the app');
  expect(plan.stdout).toMatch(/Not sent, because it needs --write, --username and a password: \d+ requests/);
});

it('conform ends with code 3 when the server cannot be reached, or nothing can be decided', async () => {
  const { code, stdout } = await conform('http://127.0.0.1:1');
  expect(code).toBe(3);
  expect(stdout).toContain('could not be reached');
  expect(stdout).toContain('Check the URL');
  expect(await conform(server.url, '--only', 'video.id')).toMatchObject({ code: 3 });
});

it('conform ends with code 3 and the reason when the user cannot sign in, although every other clause passes', async () => {
  const args = ['--only', 'limits,4.1', '--write', '--username', 'ada', '--password', 'not the password'];
  const { code, stdout } = await conform(server.url, ...args);
  expect(code).toBe(3);
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /^✗ FAIL \S+ was not tested with a user: the sign-in failed: POST \/oauth\/authorize\S*: status \d+, text\/html.*; check --username and the password/,
  );
  expect(stdout).toContain('8 passed, 14 skipped');
});

it('conform names NODE_EXTRA_CA_CERTS when the certificate comes from an unknown authority', async () => {
  await using secure = await createReferenceServer({ tls: true });
  const { code, stdout } = await conform(secure.url, '--only', 'config');
  expect([code, stdout]).toEqual([3, expect.stringContaining('NODE_EXTRA_CA_CERTS')]);
});

it('conform shows where a redirect leads, and a command that repeats the request only if that has no secret', async () => {
  const faults = ['/api/v1/config', '/oauth/token'].map((route) => ({
    ...{ route, fault: 'status', status: 302, body: '', headers: { location: '/login?from=conform' } },
  })) as FaultRule[];
  await using redirecting = await createReferenceServer({ faults });
  const ids = 'endpoint.config,token.client_credentials';
  const { stdout } = await conform(redirecting.url, '--only', ids, '--write');
  expect(stdout).toContain('Location: /login?from=conform');
  expect(stdout.match(/curl .*/g)).toEqual([expect.stringContaining('/api/v1/config')]);
});

it('conform --profile live says how many tokens it leaves, because live servers revoke none', async () => {
  await using live = await createReferenceServer({ profile: 'live', rateLimit: null });
  const args = ['--profile', 'live', '--write', '--username', 'ada', '--password', password];
  const { code, stdout } = await conform(live.url, ...args);
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'The server did not revoke 2 tokens of this run: they are valid until',
  );
});

it.each([
  ['no URL', [], 'conform needs a URL'],
  ['another scheme', ['ftp://loops.example'], 'is not an http or https URL'],
  ['a password in the URL', ['https://a:secret@loops.example'], 'leave the user name and the password out'],
  ['a query', ['https://loops.example/?a=1'], 'without a query'],
  ['an unknown profile', ['a.example', '--profile', 'lively'], 'allowed: spec, live'],
  ['an unknown clause', ['a.example', '--only', 'config.app.sofware'], 'did you mean config.app.software'],
  [
    'a token that no header can have',
    ['a.example', '--token', 'a\nb'],
    '--token has characters that no token can have',
  ],
  ['a user without --write', ['a.example', '--username', 'ada', '--password', 'x'], '--username needs --write'],
  ['a user without a password', ['a.example', '--write', '--username', 'ada'], 'set LOOPSCOUT_PASSWORD'],
  ['an empty password', ['a.example', '--write', '--username', 'ada', '--password', ''], 'set LOOPSCOUT_PASSWORD'],
  ['a video id that is not a number', ['a.example', '--video', '../x'], 'the id of a video'],
  ['a user without a name', ['a.example', '--write', '--username', '', '--password', 'x'], '--username is empty'],
  ['an empty folder', ['a.example', '--out', ''], '--out is empty; name a folder'],
  ['a file as the folder', ['a.example', '--out', 'a-file'], '--out is a-file, which is a file; name a folder'],
  ['an unreadable file', ['a.example', '--expected', 'none.json'], '--expected cannot read none.json'],
])('conform ends with code 2 for %s', async (_what, args, sentence) => {
  await writeFile(join(home, 'a-file'), '');
  const { code, stderr } = await conform(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(sentence);
  expect(stderr).not.toContain('secret@');
});
