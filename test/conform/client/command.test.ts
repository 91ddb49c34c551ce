import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Results } from '../../../src/conform/results.ts';
import { runCommand } from '../../commands/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'loopscout-conform-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

const node = JSON.stringify(process.execPath);
/** A client that reads the configuration, and exits with 0 if the software is `loops` in any letter case. */
writeFileSync(
  join(folder, 'client.mjs'),
  `const answer = await fetch(process.argv[2] + '/api/v1/config', { headers: { accept: 'application/json' } });
   const { app } = answer.ok ? await answer.json() : {};
   console.log('software', app?.software);
   process.exit(String(app?.software).toLowerCase() === 'loops' ? 0 : 1);`,
);
/** A client that sends its secret in the URL of the authorization, and writes it into a file for the test. */
writeFileSync(
  join(folder, 'leaks.mjs'),
  `import { writeFileSync } from 'node:fs';
   const url = process.argv[2];
   const answer = await fetch(url + '/api/v1/apps', {
     method: 'POST', headers: { 'content-type': 'application/json' },
     body: '{"client_name":"Leaks","redirect_uris":"https://app.example/"}',
   });
   const { client_id, client_secret } = await answer.json();
   writeFileSync('secret.txt', client_secret);
   await fetch(url + '/oauth/authorize?' + new URLSearchParams({ client_id, client_secret }), { redirect: 'manual' });`,
);

const conformClient = (...args: string[]) => runCommand(['conform', '--client', ...args], folder);

describe.concurrent('conform --client', () => {
  it('runs the command for each scenario, and judges the requests and the exit code of the client', async () => {
    const scenarios = ['--scenario', 'happy', 'other-software', '--scenario', 'padded-software'];
    const command = ['--command', `${node} client.mjs {url}`, '--exit-code', '--verbose'];
    const { code, stdout, stderr } = await conformClient(...scenarios, ...command, '--json');
    const results: Results = JSON.parse(stdout);
    expect([code, results.subject, results.requests, results.counts.fail]).toEqual([1, 'client', 3, 1]);
    expect(results.clauses.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)).toEqual([
      'client.config.accept',
      'client.identify.config-first',
    ]);
    expect(results.clauses.find(({ verdict }) => verdict === 'fail')).toMatchObject({
      id: 'client.identify.exact',
      why: 'in the scenario other-software, the client says that it is a Loops server',
      exchanges: [],
    });
    expect(stderr).toMatch(
      /^\n\[1\/3\] happy\n {2}Answers as specified\.\n {2}Connect the client .*\n {2}http:\/\/127\.0\.0\.1:\d+\nsoftware loops\n/,
    );
  });

  it('quotes the request that breaks a clause, and shows no secret in any output', async () => {
    const out = join(folder, 'out');
    const args = ['--scenario', 'happy', '--command', `${node} leaks.mjs {url}`, '--only', 'client.secret'];
    const { code, stdout, stderr } = await conformClient(...args, '--out', out);
    expect(code).toBe(1);
    expect(stdout).toContain('the client fails 1 of 1 decided clause');
    // Joins the long words that were wrapped.
    expect(stdout.replaceAll(/\n +/g, '')).toMatch(
      /GET *http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?client_id=[\w-]+&client_secret=\[client_secret\]/,
    );
    expect(stdout).toContain('in the scenario happy, the client_secret is in the URL');
    expect(stdout).not.toContain('curl');
    const har: { log: { entries: { comment: string; response: { content: { text: string } } }[] } } = JSON.parse(
      readFileSync(join(out, 'requests.har'), 'utf8'),
    );
    expect(har.log.entries.map(({ comment }) => comment)).toEqual(['scenario happy', 'scenario happy']);
    expect(JSON.parse(har.log.entries[0]?.response.content.text ?? '')).toMatchObject({
      client_secret: '[client_secret]',
    });
    const secret = readFileSync(join(folder, 'secret.txt'), 'utf8');
    expect(secret.length).toBeGreaterThan(10);
    expect(stdout.replaceAll(/\n +/g, '') + stderr).not.toContain(secret);
    for (const file of ['results.json', 'report.html', 'junit.xml', 'requests.har']) {
      const text = readFileSync(join(out, file), 'utf8');
      expect(text, file).toContain('[client_secret]');
      expect(text, file).not.toContain(secret);
    }
  });

  it('exits with 3 when the client sends nothing, cannot be run, or exceeds its time and is ended', async () => {
    const silent = await conformClient('--scenario', 'happy', '--command', 'true');
    expect([silent.code, silent.stdout]).toEqual([3, expect.stringContaining('the client sent no request')]);
    expect(silent.stdout.replaceAll(/\s+/g, ' ')).toContain('Check that the client uses the URL of the scenario.');
    const missing = await conformClient('--scenario', 'happy', '--command', './no-such-client {url}');
    expect([missing.code, missing.stderr]).toEqual([
      3,
      expect.stringMatching(/the command cannot be run: \.\/no-such-client http:/),
    ]);
    const endless = await conformClient('--scenario', 'happy', '--command', 'sleep 600 & sleep 600', '--for', '1');
    expect([endless.code, endless.stderr]).toEqual([3, expect.stringContaining('was ended after 1 second')]);
  });

  it('reports all invalid options at once', async () => {
    const args = ['http://127.0.0.1:1', '--scenario', 'hapy', '--write', '--exit-code', '--name', 'a b'];
    const { code, stderr } = await conformClient(...args);
    expect(code).toBe(2);
    const problems = ['--client needs no URL', '--write cannot', '--exit-code needs', '--name is a b'];
    for (const problem of [...problems, '--scenario is hapy']) expect(stderr).toContain(problem);
  });

  it('needs a command or a time for each scenario when there is no terminal', async () => {
    const noTerminal = await conformClient();
    expect([noTerminal.code, noTerminal.stderr]).toEqual([2, expect.stringContaining('--command, or --for')]);
  });
});

it('the documentation lists every scenario and what the server does in it', async () => {
  const { SCENARIOS } = await import('../../../src/conform/client/scenario.ts');
  const page = readFileSync(new URL('../../../docs/conform-clients.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z\d.-]+)` +\| (.+?) +\|$/gm)].map(([, name, server]) => [name, server]);
  expect(rows).toEqual(SCENARIOS.map(({ name, server }) => [name, server]));
});
