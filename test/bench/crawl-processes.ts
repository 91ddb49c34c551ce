import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { FleetHost, FleetOptions } from '../../src/reference/index.ts';
import type { FleetReport } from './crawl-fleet.ts';
import type { CrawlStage } from './crawl-then-export.ts';
import type { Usage } from './measure.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Same as in the npm script `loopscout`. */
const productNodeArgs = ['--max-semi-space-size=16'];

/** A compile cache, as users have: without it, each start strips the types of every module, which costs CPU time and 25 MB. */
const compileCache = join(root, 'node_modules/.cache/compile');

export interface BenchFleet {
  caFile: string;
  dnsServer: string;
  hosts: FleetHost[];
}

/** A temporary folder and a fleet in its own process, with functions that crawl the fleet in further processes. */
export interface CrawlBench extends Disposable {
  folder: string;
  fleet: BenchFleet;
  /** What the fleet received since the last report. */
  report(): Promise<FleetReport>;
  /** Runs Node with these arguments, and measures the process. */
  measure(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Usage & { output: string }>;
  /** Starts a script with the Node arguments of the product. */
  start(args: readonly string[], env?: NodeJS.ProcessEnv): ChildProcess;
  /** Writes the settings and the list of domains of a crawl; `name` is the base name of all its files. Returns the settings file. */
  configure(name: string, domains: readonly string[], queue: Record<string, number>, network?: object): string;
  /** Configures a crawl and runs it as a user would. */
  crawl(...configuration: Parameters<CrawlBench['configure']>): Promise<Usage & { output: string }>;
  /** Crawls once more, so many hours after the crawl `first`, with a copy of its database. */
  crawlAgain(
    first: string,
    hoursAhead: number,
    ...configuration: Parameters<CrawlBench['configure']>
  ): Promise<Usage & { output: string }>;
  /** Like `crawl`; also returns the resources that the crawl used until its export started. */
  crawlInStages(...configuration: Parameters<CrawlBench['configure']>): Promise<Usage & CrawlStage>;
  databaseOf(name: string): string;
}

export async function startCrawlBench(options: FleetOptions): Promise<CrawlBench> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
  const child = start([join(root, 'test/bench/crawl-fleet.ts'), JSON.stringify(options)]);
  const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]();
  const nextLine = async () => JSON.parse((await lines.next()).value ?? '{}');
  const fleet = (await nextLine()) as BenchFleet;

  const measure: CrawlBench['measure'] = async (args, env = {}) => {
    const usageFile = join(folder, 'usage.json');
    const preload = ['--import', join(root, 'test/bench/measure.ts')];
    const measured = start([...preload, ...args], { ...env, BENCH_USAGE_FILE: usageFile });
    let output = '';
    measured.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(measured, 'close');
    if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${output}`);
    return { ...(JSON.parse(readFileSync(usageFile, 'utf8')) as Usage), output };
  };

  const databaseOf = (name: string) => join(folder, `${name}.sqlite`);
  const configure: CrawlBench['configure'] = (name, domains, queue, network = {}) => {
    const settings = {
      database: databaseOf(name),
      sources: [{ type: 'file', path: join(folder, `${name}.txt`), most: domains.length }],
      domains: { allowSuffixes: ['example'] },
      // Every server is due again after six hours.
      cadence: { otherHours: 6, jitter: 0 },
      network: { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile, ...network },
      queue: { visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0, ...queue },
      export: { dir: join(folder, `export-${name}`) },
    };
    const config = join(folder, `${name}.json`);
    writeFileSync(join(folder, `${name}.txt`), domains.join('\n'));
    writeFileSync(config, JSON.stringify(settings));
    return config;
  };

  const crawlWith = (config: string, env?: NodeJS.ProcessEnv) =>
    measure([...productNodeArgs, join(root, 'src/cli.ts'), 'crawl', '--json', '--config', config], env);

  return {
    folder,
    fleet,
    report: () => {
      child.stdin?.write('\n');
      return nextLine();
    },
    measure,
    start: (args, env) => start([...productNodeArgs, ...args], env),
    configure,
    databaseOf,
    crawl: (...configuration) => crawlWith(configure(...configuration)),
    crawlAgain: (first, hoursAhead, ...configuration) => {
      copyFileSync(databaseOf(first), databaseOf(configuration[0]));
      return crawlWith(configure(...configuration), { BENCH_HOURS_AHEAD: String(hoursAhead) });
    },
    crawlInStages: async (...configuration) => {
      const script = join(root, 'test/bench/crawl-then-export.ts');
      const { output, ...usage } = await measure([...productNodeArgs, script, configure(...configuration)]);
      return { ...usage, ...(JSON.parse(output) as CrawlStage) };
    },
    [Symbol.dispose]: () => {
      child.stdin?.end();
      rmSync(folder, { recursive: true });
    },
  };
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env, NODE_COMPILE_CACHE: compileCache },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}
