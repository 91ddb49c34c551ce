import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { abortOnSignal, createApp, createLogger, type Visit } from '../app/app.ts';
import { createFleet, type FleetHost } from '../reference/index.ts';
import { listSources } from '../service/sources/source-overview.ts';
import { loadSettings } from '../settings/settings.ts';
import type { Run } from './command.ts';
import { summary } from './crawl.ts';
import { wholeNumber } from './input/values.ts';
import { crawlOnce } from './output/crawl-report.ts';
import { sourcesText } from './output/source-tables.ts';
import { fleetSettings } from './reference-fleet.ts';

const DEFAULT_HOSTS = '240';

/**
 * `demo`: starts a fleet with every kind of host, crawls it with the complete crawler, and compares each verdict with what the
 * fleet expects.
 */
export const run: Run<{ hosts?: string }> = async ({ options, terminal, outputLost }) => {
  const size = wholeNumber('--hosts', options.hosts ?? DEFAULT_HOSTS, 1, 100_000);
  using interrupt = abortOnSignal();
  await using fleet = await createFleet({ hosts: size });
  const folder = await mkdtemp(join(tmpdir(), 'loopscout-demo-'));
  const { sources, reportedLoops } = await writeDemoLists(folder, fleet.hosts);
  const settings = loadSettings({
    cwd: folder,
    env: {},
    flags: {
      ...fleetSettings(fleet),
      database: 'loopscout.sqlite',
      export: { dir: 'export' },
      log: { level: 'warn' },
      sources,
    },
  });
  const logger = createLogger({ level: settings.log.level, stream: terminal.stderr });
  await using app = await createApp(settings, logger);

  if (options.json !== true)
    terminal.stdout.write(
      `${fleet.hosts.length} hosts of ${new Set(fleet.hosts.map(({ kind }) => kind)).size} kinds on 127.0.0.1.\n`,
    );
  const visits = new Map<string, Visit>();
  const { report, fault } = await crawlOnce(app, {
    stderr: terminal.stderr,
    signal: AbortSignal.any([interrupt.signal, outputLost]),
    onVisit: (visit) => visits.set(visit.domain, visit),
  });
  if (fault !== null) throw fault;
  const surprises = fleet.hosts.flatMap((host) => differencesOf(host, visits.get(host.domain)));
  const yields = listSources(settings, Date.now());
  if (options.json === true) terminal.stdout.write(`${JSON.stringify({ ...report, yields, surprises }, null, 2)}\n`);
  else {
    const order = priority([...visits.keys()], reportedLoops);
    terminal.stdout.write(`${summary(report)}${sourcesText(yields)}${order}${outcome(fleet.hosts, surprises)}`);
  }
  return report.end === 'done' && surprises.length === 0 ? 0 : 1;
};

/** The differences between a visit and the expectation of the fleet. */
function differencesOf({ domain, kind, expect }: FleetHost, visit: Visit | undefined): string[] {
  if (visit === undefined) return [`${domain} (${kind}): not visited`];
  if (expect === null) return [];
  const wrong = (['verdict', 'reason', 'via', 'software', 'version'] as const).filter((key) => {
    const isOpen = key === 'reason' && expect[key] === null;
    return !isOpen && expect[key] !== visit[key];
  });
  if (expect.aliasOf !== undefined && expect.aliasOf !== visit.aliasOf) {
    return [`${domain} (${kind}): aliasOf is ${visit.aliasOf}, should be ${expect.aliasOf}`];
  }
  if (wrong.length === 0) return [];
  return [`${domain} (${kind}): ${wrong.map((key) => `${key} is ${visit[key]}, should be ${expect[key]}`).join('; ')}`];
}

/** How much earlier the hosts that a list reports as Loops were visited. */
function priority(visited: readonly string[], reportedLoops: ReadonlySet<string>): string {
  const medianPosition = (isIncluded: (domain: string) => boolean) => {
    const positions = visited.flatMap((domain, position) => (isIncluded(domain) ? [position + 1] : []));
    return positions[Math.ceil(positions.length / 2) - 1] ?? null;
  };
  const [reported, others] = [
    medianPosition((domain) => reportedLoops.has(domain)),
    medianPosition((domain) => !reportedLoops.has(domain)),
  ];
  if (reported === null || others === null) return '';
  return `Half of the ${reportedLoops.size} hosts that a list reports as Loops were among the first ${reported} visits; half of the others, among the first ${others}.\n`;
}

function outcome(hosts: readonly FleetHost[], surprises: readonly string[]): string {
  const loops = hosts.filter(({ expect }) => expect?.verdict === 'loops').length;
  if (surprises.length > 0)
    return `${surprises.length} verdicts differ from the expectation of the fleet:\n  ${surprises.join('\n  ')}\n`;
  return `All ${loops} Loops servers of the fleet were identified, and no other host (of ${hosts.length - loops}) was identified as one.\n`;
}

/** Every host is in at least one of the three lists; a fifth is in two, like real lists overlap. */
const isInDirectory = (index: number) => index % 5 < 2;
const isInPeers = (index: number) => index % 5 === 1 || index % 5 === 2;
const isInSeeds = (index: number) => !isInDirectory(index) && !isInPeers(index);

/** Writes the demo's source files. Returns the entries of `sources`, and the domains that a list reports as Loops. */
async function writeDemoLists(folder: string, hosts: readonly FleetHost[]) {
  const chosen = (isIn: (index: number) => boolean) => hosts.filter((_, index) => isIn(index));
  const directory = chosen(isInDirectory).map(({ domain, expect }) => ({ domain, software: expect?.software ?? null }));
  const lines = (isIn: (index: number) => boolean) =>
    `${chosen(isIn)
      .map(({ domain }) => domain)
      .join('\n')}\n`;
  await writeFile(join(folder, 'directory.json'), JSON.stringify(directory));
  await writeFile(join(folder, 'peers.txt'), lines(isInPeers));
  await writeFile(join(folder, 'seeds.txt'), lines(isInSeeds));
  const sources = [
    { type: 'file', id: 'directory', path: join(folder, 'directory.json'), softwareKey: 'software' },
    { type: 'file', id: 'peers', path: join(folder, 'peers.txt') },
    { type: 'file', id: 'seeds', path: join(folder, 'seeds.txt') },
  ];
  const reportedLoops = directory
    .filter(({ software }) => software?.toLowerCase() === 'loops')
    .map(({ domain }) => domain);
  return { sources, reportedLoops: new Set(reportedLoops) };
}
