import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../src/check/report.ts';
import type { Rule } from '../../src/check/rule.ts';
import { type CheckParts, createCheck } from '../../src/commands/check.ts';
import type { GlobalOptions } from '../../src/commands/command.ts';
import { type CheckOptions, similarWords } from '../../src/commands/input/check-request.ts';
import { brokenReport, healthyReport, stockReport } from '../check/sample-reports.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const RULES = ['tls-expiry', 'tls-trusted', 'config-cors', 'config-json'].map(
  (id): Rule => ({
    id,
    worst: 'fail',
    title: `The title of ${id}`,
    checks: 'The certificate.',
    why: 'Why.',
    sources: ['RFC 9110', 'https://docs.example/rules'],
    cure: 'Do:\n    this',
    judge: () => null,
  }),
);

interface CheckEnd {
  code: number;
  stdout: string;
  stderr: string;
  requests: Parameters<CheckParts['check']>[0][];
}

/** Runs `check` to its end; each check returns the next of the reports, and the last one repeatedly. */
async function runCheck(
  args: string[],
  options: CheckOptions & GlobalOptions,
  reports: readonly (Report | Error)[],
  pause?: CheckParts['pause'],
): Promise<CheckEnd> {
  const text = { stdout: '', stderr: '' };
  const into = (name: keyof typeof text) =>
    new Writable({
      write: (chunk, _encoding, done) => {
        text[name] += chunk;
        done();
      },
    });
  const requests: CheckEnd['requests'] = [];
  const run = createCheck({
    rules: RULES,
    check: async (request) => {
      requests.push(request);
      const report = reports[Math.min(requests.length, reports.length) - 1];
      if (report === undefined || report instanceof Error) throw report;
      return report;
    },
    ...(pause === undefined ? {} : { pause }),
  });
  const terminal = { stdout: into('stdout'), stderr: into('stderr'), cwd: folder };
  const code = await run({ args, options, terminal, outputFailed: new AbortController().signal });
  return { code, ...text, requests };
}

const checkOnce = (options: CheckOptions & GlobalOptions, report: Report = brokenReport()) =>
  runCheck(['loops.org'], options, [report]);

describe('check ends with', () => {
  it('0 if no rule fails; 1 for a fail, a verdict other than loops or, with --strict, a warning', async () => {
    expect((await checkOnce({}, healthyReport())).code).toBe(0);
    expect((await checkOnce({}, stockReport())).code).toBe(0);
    expect((await checkOnce({ strict: true }, stockReport())).code).toBe(1);
    expect((await checkOnce({}, brokenReport())).code).toBe(1);
    expect((await checkOnce({}, { ...healthyReport(), verdict: 'other' })).code).toBe(1);
    expect((await checkOnce({}, { ...brokenReport(), verdict: 'loops' })).code).toBe(1);
  });

  it('3 when this machine is offline', async () => {
    const offline = { ...brokenReport(), offline: true, findings: [], cutShort: 'this machine is offline' };
    expect((await runCheck(['loops.org'], {}, [offline])).code).toBe(3);
  });

  it.for<[string, string[], CheckOptions & GlobalOptions, string]>([
    ['no domain', [], {}, 'check needs a domain'],
    ['two domains', ['a.org', 'b.org'], {}, 'one domain is checked at a time: leave out b.org'],
    ['an invalid domain', ['localhost'], {}, 'not a domain that can be visited'],
    ['an unknown rule', ['a.org'], { only: 'tls-expiri' }, 'no rule or area tls-expiri; did you mean tls-expiry'],
    ['a part of a rule', ['a.org'], { skip: 'cors,tls' }, 'no rule or area cors; did you mean config-cors?'],
    ['a name similar to no rule', ['a.org'], { only: 'zzzzzz' }, 'areas are dns, tls, http'],
    [
      'filters that leave no rule',
      ['a.org'],
      { only: 'tls', skip: 'tls-expiry,tls-trusted' },
      'leave no rule to check',
    ],
    ['an empty list', ['a.org'], { only: ',' }, 'leave no rule to check'],
    ['an area without rules', ['a.org'], { only: 'dns' }, 'leave no rule to check'],
    [
      'too short an interval',
      ['a.org'],
      { watch: true, interval: '10' },
      '--interval is 10; allowed: a whole number from 60',
    ],
    ['an interval without --watch', ['a.org'], { interval: '90' }, '--interval needs --watch'],
    ['two formats', ['a.org'], { json: true, markdown: true }, '--json and --markdown both write to stdout'],
    ['two formats', ['a.org'], { markdown: true, junit: true }, '--markdown and --junit both write to stdout'],
    ['two formats', ['a.org'], { junit: '-', badge: '-' }, '--junit and --badge both write to stdout'],
    ['one file for two formats', ['a.org'], { junit: 'x', badge: './x' }, '--junit and --badge both write'],
    ['an address', ['127.0.0.1'], {}, "127.0.0.1: an IP address cannot be checked; give the server's name"],
    ['another address', ['http://192.168.1.5:8089'], {}, 'or http://127.0.0.1:PORT for a server on this machine'],
    ['a loopback address without http', ['localhost:8089'], {}, 'write http://127.0.0.1:PORT'],
    ['a password', ['http://me:secret@127.0.0.1:8089'], {}, 'user name and password: http://127.0.0.1:8089'],
    ['rules that do not apply to a local server', ['http://127.0.0.1:8089'], { only: 'tls' }, 'leave no rule to check'],
    ['a password', ['me:secret@a.org'], {}, 'leave out the user name and password: a.org'],
    ['an unknown rule to describe', [], { rule: 'tls-expiri' }, 'did you mean tls-expiry'],
  ])('a usage error for %s, without a request', async ([, args, options, sentence]) => {
    const error = await runCheck(args, options, []).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ kind: 'setting', message: expect.stringContaining(sentence) });
  });

  it('one error that names every problem', async () => {
    const invalid = { only: 'tls-x1,nope', watch: true, interval: '1', json: true, junit: true as const };
    const error = (await runCheck(['localhost', 'b.org'], invalid, []).catch((reason: unknown) => reason)) as Error;
    for (const part of ['leave out b.org', 'localhost: ', 'tls-x1', 'nope', '--interval is 1', '--json and --junit'])
      expect(error.message).toContain(part);
  });
});

describe('check requests a check of', () => {
  it.for([
    ['http://127.0.0.1:8089', '127.0.0.1:8089'],
    ['http://localhost:8089/', 'localhost:8089'],
    ['HTTP://[::1]:8089/explore', '[::1]:8089'],
    ['http://127.0.0.1', '127.0.0.1'],
  ])('a local server: %s', async ([text = '', domain]) => {
    expect((await runCheck([text], {}, [brokenReport()])).requests).toMatchObject([{ domain }]);
  });

  it('the domain of any URL, which is checked over https', async () => {
    expect((await runCheck(['http://loops.org/x'], {}, [brokenReport()])).requests).toMatchObject([
      { domain: 'loops.org' },
    ]);
  });

  it('the domain with the selected rules and areas, even with the example contact', async () => {
    const { requests } = await checkOnce({ only: 'tls, config-cors', skip: 'tls-expiry' });
    expect(requests).toMatchObject([{ domain: 'loops.org', only: ['tls', 'config-cors'], skip: ['tls-expiry'] }]);
    expect((await checkOnce({})).requests).toMatchObject([{ only: undefined, skip: [] }]);
  });
});

describe('check writes', () => {
  it('text, JSON, Markdown or JUnit to stdout', async () => {
    expect((await checkOnce({})).stdout).toMatch(/^✗ FAIL {2}loops\.example/);
    expect(JSON.parse((await checkOnce({ json: true })).stdout)).toEqual(brokenReport());
    expect((await checkOnce({ markdown: true })).stdout).toMatch(/^## ✗ FAIL/);
    expect((await checkOnce({ junit: true })).stdout).toMatch(/^<\?xml .*\n<testsuites/);
    expect((await checkOnce({ quiet: true }, healthyReport())).stdout).toBe('');
  });

  it('JUnit and the badge to stdout for -', async () => {
    expect((await checkOnce({ junit: '-' })).stdout).toMatch(/^<\?xml/);
    for (const badge of ['-', '/dev/stdout'])
      expect((await checkOnce({ badge })).stdout).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    expect(existsSync(join(folder, '-'))).toBe(false);
  });

  it('a badge as JSON for shields.io if the file name ends with .json', async () => {
    await checkOnce({ badge: 'badge.json' });
    expect(JSON.parse(readFileSync(join(folder, 'badge.json'), 'utf8'))).toEqual({
      schemaVersion: 1,
      label: 'loops check',
      message: 'not seen as Loops',
      color: 'red',
      isError: true,
    });
  });

  it('files too, creates their folders, replaces existing files and leaves no temporary file', async () => {
    const files = { junit: 'out/check.xml', badge: 'out/badge.svg', markdown: true };
    await checkOnce(files);
    const { stdout } = await checkOnce(files, healthyReport());
    expect(stdout).toMatch(/^## ✓ PASS/);
    expect(readFileSync(join(folder, 'out/check.xml'), 'utf8')).toContain('failures="0"');
    expect(readFileSync(join(folder, 'out/badge.svg'), 'utf8')).toContain('passing');
    expect(readdirSync(join(folder, 'out')).toSorted()).toEqual(['badge.svg', 'check.xml']);
  });

  it('nothing, and makes no request, if a file cannot be written', async () => {
    writeFileSync(join(folder, 'taken'), '');
    for (const badge of ['taken/badge.svg', '.', '/proc/nope/x.svg']) {
      const requests: unknown[] = [];
      const run = createCheck({ rules: RULES, check: async (request) => requests.push(request) as never });
      const terminal = { stdout: new Writable(), stderr: new Writable(), cwd: folder };
      const running = run({
        args: ['a.org'],
        options: { badge },
        terminal,
        outputFailed: new AbortController().signal,
      });
      await expect(running).rejects.toMatchObject({
        kind: 'setting',
        message: expect.stringMatching(/^--badge cannot write \S+: .*name/),
      });
      expect(requests).toEqual([]);
    }
  });

  it('the report to stdout even if the disk is full', async () => {
    let stdout = '';
    const terminal = {
      stdout: new Writable({
        write: (chunk, _encoding, done) => {
          stdout += chunk;
          done();
        },
      }),
      stderr: new Writable(),
      cwd: folder,
    };
    const run = createCheck({ rules: RULES, check: async () => brokenReport() });
    const options = { junit: '/dev/full', badge: 'written.svg', markdown: true };
    const running = run({ args: ['a.org'], options, terminal, outputFailed: new AbortController().signal });
    await expect(running).rejects.toMatchObject({ kind: 'failure', message: expect.stringContaining('disk is full') });
    expect(stdout).toMatch(/^## ✗ FAIL/);
    expect(existsSync(join(folder, 'written.svg'))).toBe(true);
  });

  it('the list of rules, or the page of one rule, without a domain', async () => {
    const { code, stdout } = await runCheck([], { rules: true }, []);
    expect(code).toBe(0);
    for (const { id, title } of RULES) expect(stdout).toContain(`${id.padEnd(11)}  fail  ${title}\n`);
    const page = await runCheck([], { rule: 'config-cors' }, []);
    expect(page.stdout).toMatch(/^# config-cors\n\nThe title of config-cors\.\n/);
    expect(page.stdout).toContain('[RFC 9110](https://www.rfc-editor.org/rfc/rfc9110)');
    expect(page.stdout).toContain('<https://docs.example/rules>');
    expect(page.stdout).toContain('```text\nthis\n```');
    const [first] = JSON.parse((await runCheck([], { rules: true, json: true }, [])).stdout);
    expect(first).toMatchObject({ id: 'tls-expiry', worst: 'fail', cure: 'Do:\n    this' });
  });
});

describe('check --watch', () => {
  const watch = { watch: true, interval: '60' };

  it('checks until nothing fails, reports the changes and ends with 0', async () => {
    const pauses: number[] = [];
    const second = { ...brokenReport(), checkedAt: '2026-08-01T12:02:00.000Z' };
    const { code, stdout, requests } = await runCheck(
      ['loops.org'],
      watch,
      [brokenReport(), second, stockReport()],
      async (ms) => pauses.push(ms),
    );
    expect([code, requests.length, pauses]).toEqual([0, 3, [60_000, 60_000]]);
    expect(stdout.match(/A directory will show/g)).toHaveLength(1);
    expect(stdout).toContain('12:02:00 UTC: nothing has changed, 2 fail and 1 warning\n');
    expect(stdout).toContain('The verdict was unidentified and is loops.');
    expect(stdout).toContain('✓ tls-expiry: As it should be.');
  });

  it('goes on while there are warnings under --strict, and pauses for two minutes by default', async () => {
    const pauses: number[] = [];
    const reports = [stockReport(), healthyReport()];
    const options = { watch: true, strict: true, json: true };
    const { code, stdout } = await runCheck(['loops.org'], options, reports, async (ms) => pauses.push(ms));
    expect([code, pauses]).toEqual([0, [120_000]]);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).counts.warn),
    ).toEqual([1, 0]);
  });

  it('writes its files at each check', async () => {
    const badges: string[] = [];
    const pause = async () => badges.push(readFileSync(join(folder, 'watched.svg'), 'utf8'));
    await runCheck(['loops.org'], { ...watch, badge: 'watched.svg' }, [brokenReport(), healthyReport()], pause);
    badges.push(readFileSync(join(folder, 'watched.svg'), 'utf8'));
    expect(badges.map((svg) => /aria-label="loops check: ([^"]+)"/.exec(svg)?.[1])).toEqual([
      'not seen as Loops',
      'passing',
    ]);
  });

  it('reports that this machine is offline, and compares the next check with the last one that ran', async () => {
    const offline = { ...brokenReport(), offline: true, findings: [], cutShort: 'this machine is offline' };
    const reports = [brokenReport(), offline, brokenReport(), stockReport()];
    const { stdout } = await runCheck(['loops.org'], watch, reports, async () => {});
    expect(stdout).toContain(
      'loops.example was not checked: this machine is offline.\n12:00:00 UTC: nothing has changed',
    );
  });

  it('ends cleanly on SIGINT, with 1', async () => {
    const pause = async (_ms: number, signal: AbortSignal) => {
      process.kill(process.pid, 'SIGINT');
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      signal.throwIfAborted();
    };
    const { code, stderr } = await runCheck(['loops.org'], watch, [brokenReport()], pause);
    expect([code, stderr]).toEqual([1, 'stopped\n']);
  });

  it('does not hide an internal error', async () => {
    await expect(runCheck(['loops.org'], watch, [new Error('broken')])).rejects.toThrow('broken');
  });
});

it.for<[string, string[]]>([
  ['tls-expiri', ['tls-expiry']],
  ['CORS', ['config-cors', 'api-cors']],
  ['nodeinf', ['nodeinfo']],
  ['config-cors-x', ['config-cors']],
  ['q', []],
  ['completely-else', []],
])('the words similar to %s are %j', ([word, similar]) => {
  expect(similarWords(word, ['tls-expiry', 'config-cors', 'api-cors', 'nodeinfo'])).toEqual(similar);
});
