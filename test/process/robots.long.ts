import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome, type FleetHome } from './fleet-home.ts';

/** Closes a server to us after many lines. */
const CLOSES_US = 'User-agent: Loopscout\nDisallow: /\n';
const repeat = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

/** Files that close a server to us by name. */
const CLOSED: Record<string, string> = {
  sitemap: 'User-agent: Loopscout\nSitemap: https://sitemap.example/sitemap.xml\nUser-agent: *\nDisallow: /\n',
  delay: 'User-agent: *\nCrawl-delay: 1\n\nUser-agent: Loopscout\nDisallow: /\n',
  unknown:
    'User-agent: Loopscout 0.2\nHost: x\nX-Note: y\nno colon here\n# Allow: /\nUser-agent: Otherbot\nDisallow: /\n',
  escapes: 'User-agent: Loopscout\nDisallow: /%61pi/\nDisallow: /%2Ewell-known/\n',
  'small-escapes': 'User-agent: loopscout\nDisallow: /%61%70%69/v1/%63onfi%67\nDisallow: /%2ewell%2dknown/\n',
  'escapes-and-wildcards': 'User-agent: Loopscout\nDisallow: /*%2Fx\nDisallow: /*%63onfig$\nDisallow: *%6Eodeinfo\n',
  'after-rules': repeat(12_000, (index) => `Disallow: /archive/private-${index}\n`) + CLOSES_US,
  'after-a-rule': `User-agent: *\nDisallow: /${'x'.repeat(400_000)}\n${CLOSES_US}`,
  'after-robots': repeat(20_000, (index) => `User-agent: bot${index}\n`) + CLOSES_US,
};

/** Files that leave a server open to us. */
const OPEN: Record<string, string> = {
  'ended-run': 'User-agent: Loopscout\nAllow: /\nUser-agent: Otherbot\nDisallow: /\n',
  'other-case': 'User-agent: Loopscout\nDisallow: /%41pi/\nDisallow: /api%2Fv1/\nDisallow: /%2e/\n',
  rules: `User-agent: *\n${repeat(3_000, (index) => `Disallow: /archive/private-${index}\n`)}User-agent: Otherbot\nDisallow: /\n`,
  wildcards: `User-agent: *\n${repeat(8_000, (index) => `Disallow: /*x*y*z*${index}$\n`)}`,
  'long-rule': `User-agent: Loopscout\nDisallow: /${'*a'.repeat(200_000)}\n`,
};

let fleet: Fleet;
let home: FleetHome;
beforeAll(async () => {
  const hosts = Object.entries({ ...CLOSED, ...OPEN }).map(([name, robots]) => ({ name: `${name}.example`, robots }));
  fleet = await createFleet({ file: { hosts } });
  home = createFleetHome(fleet);
}, 60_000);
afterAll(async () => {
  home[Symbol.dispose]();
  await fleet.close();
});

const domainOf = (name: string) =>
  fleet.hosts.find(({ domain }) => domain.startsWith(`${name}.`))?.domain ?? expect.fail();

test('a host is visited and published as its robots.txt says, whatever its lines, escapes, number and length of rules', async () => {
  for (const command of ['crawl', 'export']) {
    const { code, stderr } = await runCommand([command, '--config', home.settingsFile]);
    expect(code, stderr).toBe(0);
  }
  const { instances } = JSON.parse(readFileSync(join(home.exportDir, 'instances.json'), 'utf8'));
  const published = instances.map(
    ({ domain, usage }: { domain: string; usage: { users: number | null } }) =>
      `${domain}, users: ${usage.users !== null}`,
  );
  expect(published.sort()).toEqual(
    Object.keys(OPEN)
      .map((name) => `${domainOf(name)}, users: true`)
      .sort(),
  );
  for (const name of Object.keys(CLOSED))
    expect([name, ...fleet.requests.paths(domainOf(name))]).toEqual([name, ['/robots.txt', 1]]);
});

test.each(['rules', 'wildcards', 'long-rule'])('check has nothing to say about the robots.txt of %s', async (name) => {
  const { stdout } = await runCommand([
    'check',
    domainOf(name),
    '--only',
    'robots',
    '--json',
    '--config',
    home.settingsFile,
  ]);
  const { findings } = JSON.parse(stdout);
  expect(findings.filter(({ severity }: { severity: string }) => severity === 'fail' || severity === 'warn')).toEqual(
    [],
  );
});
