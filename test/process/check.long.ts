import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';
import { repository, runCli } from './run-cli.ts';

let fleet: Fleet;
let home: FleetHome;
beforeAll(async () => {
  const hosts = [{ name: 'loops.example' }, { kind: 'mastodon' as const, name: 'other.example' }];
  fleet = await createFleet({ file: { hosts }, log: false });
  home = createFleetHome(fleet);
}, 60_000);
afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
});

const check = (...args: string[]) => runCommand(['check', ...args, '--config', home.settingsFile], home.folder);
const domainOf = (name: string) => fleet.hosts.find(({ domain }) => domain.startsWith(name))?.domain ?? expect.fail();

/** Rules that a server on loopback, with a port and a private certificate authority, can pass. */
const ONLY_PASSABLE_RULES = ['--only', 'config-software,config-json,nodeinfo'];

describe('check', () => {
  test('prints the report as text for a server that passes, and exits with 0', async () => {
    const { code, stdout, stderr } = await check(domainOf('loops'), ...ONLY_PASSABLE_RULES);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^(?:✓ PASS|! WARN) {2}loops\.example:\d+ runs Loops /);
    expect(stdout).not.toContain('\u001b');
  });

  test('exits with 1 for other software and writes valid JSON, valid JUnit and a badge', async () => {
    const files = ['--junit', 'out/check.xml', '--badge', 'out/check.svg'];
    const { code, stdout } = await check(domainOf('other'), '--json', ...files);
    expect(code).toBe(1);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ verdict: 'other', software: 'mastodon', instance: null });
    const schema = JSON.parse(readFileSync(join(repository, 'data/check-report.schema.json'), 'utf8'));
    const validate = new Ajv2020({ strict: true, formats: { 'date-time': true } }).compile(schema);
    validate(report);
    expect(validate.errors).toBeNull();
    const xsd = readFileSync(join(repository, 'test/report/junit.xsd'), 'utf8');
    const xml = readFileSync(join(home.folder, 'out/check.xml'), 'utf8');
    expect((await validateXML({ xml: [xml], schema: [xsd] })).errors).toEqual([]);
    expect(readFileSync(join(home.folder, 'out/check.svg'), 'utf8')).toContain('not seen as Loops');
  });

  test('exits with 2 for an unknown rule, and suggests the rule with the closest name', async () => {
    const { code, stdout, stderr } = await check('nobody.example', '--only', 'tls-expiri');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('there is no rule or area tls-expiri; did you mean tls-expiry');
  });

  test('prints the page of a rule as it is in the repository', async () => {
    const { code, stdout } = await check('--rule', 'tls-expiry');
    expect([code, stdout]).toEqual([0, readFileSync(join(repository, 'data/check/tls-expiry.md'), 'utf8')]);
  });

  test('--watch stops cleanly on SIGINT', async () => {
    const { code, stdout, stderr } = await runCli(
      ['check', domainOf('other'), '--watch', '--only', 'config', '--config', home.settingsFile],
      {
        onStart: (child) => child.stdout?.once('data', () => setTimeout(() => child.kill('SIGINT'), 100)),
      },
    );
    expect([code, stderr]).toEqual([1, 'stopped\n']);
    expect(stdout).toMatch(/^✗ FAIL/);
  });
});
