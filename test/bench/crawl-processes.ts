import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FleetHost, FleetOptions } from '../../src/reference/index.ts';
import type { Usage } from './measure.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Same as in the npm script `loopscout`. */
const productNodeArgs = ['--max-semi-space-size=8'];

export interface BenchFleet {
  caFile: string;
  dnsServer: string;
  hosts: FleetHost[];
}

/** A folder and a fleet in its own process, with functions that crawl it in further processes. */
export interface CrawlBench extends Disposable {
  folder: string;
  fleet: BenchFleet;
  /** Runs a script of this folder in its own process, and measures it. */
  measure(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Usage & { output: string }>;
  /** Crawls domains into a new database; `name` is the base name of its files. */
  crawl(name: string, domains: readonly string[], queue: Record<string, number>): Promise<Usage & { output: string }>;
  databaseOf(name: string): string;
}

export async function startCrawlBench(options: FleetOptions): Promise<CrawlBench> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
  const child = start([join(root, 'test/bench/crawl-fleet.ts'), JSON.stringify(options)]);
  const fleet = JSON.parse(await firstLine(child)) as BenchFleet;

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

  return {
    folder,
    fleet,
    measure,
    databaseOf: (name) => join(folder, `${name}.sqlite`),
    crawl: (name, domains, queue) => {
      const settings = {
        database: `${name}.sqlite`,
        sources: [{ type: 'file', path: `${name}.txt` }],
        domains: { allowSuffixes: ['example'] },
        network: { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
        queue: { visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0, ...queue },
        export: { dir: `export-${name}` },
      };
      writeFileSync(join(folder, `${name}.txt`), domains.join('\n'));
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(settings));
      const config = join(folder, `${name}.json`);
      return measure([...productNodeArgs, join(root, 'src/cli.ts'), 'crawl', '--json', '--config', config]);
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
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text;
}
