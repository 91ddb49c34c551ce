import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Table } from 'console-table-printer';
import type { Usage } from './measure.ts';

/**
 * `npm run bench -- crawl [hosts] [rounds]`: the whole product against the floor of bare node:https, over TLS, one new
 * connection a host, half of the hosts Loops, at most 64 at a time. Whole processes in turn, so that a machine whose speed
 * drifts slows both; the medians are shown, and the ratios are of pairs.
 */
const hosts = Number(process.argv[2] ?? 5_000);
const rounds = Number(process.argv[3] ?? 3);
const concurrency = 64;
/** As the npm script `loopscout` has it. */
const productNodeArgs = ['--max-semi-space-size=8'];
const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));

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

async function measure(args: readonly string[]): Promise<Usage & { output: string }> {
  const usageFile = join(folder, 'usage.json');
  const child = start(['--import', join(root, 'test/bench/measure.ts'), ...args], { BENCH_USAGE_FILE: usageFile });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`);
  return { ...(JSON.parse(readFileSync(usageFile, 'utf8')) as Usage), output };
}

const fleet = start([join(root, 'test/bench/crawl-fleet.ts'), String(hosts)]);
const {
  caFile,
  dnsServer,
  hosts: list,
} = JSON.parse(await firstLine(fleet)) as {
  caFile: string;
  dnsServer: string;
  hosts: { domain: string }[];
};

const floorFile = join(folder, 'floor.json');
writeFileSync(floorFile, JSON.stringify({ caFile, hosts: list, concurrency }));
writeFileSync(join(folder, 'seeds.txt'), list.map(({ domain }) => domain).join('\n'));

function settings(round: number): string {
  const file = join(folder, `settings-${round}.json`);
  const value = {
    database: `${round}.sqlite`,
    sources: [{ type: 'file', path: 'seeds.txt' }],
    domains: { allowSuffixes: ['example'] },
    network: { allow: ['127.0.0.1/32'], dnsServers: [dnsServer], caFile },
    queue: { concurrency, visitsPerSecond: 0, perAddress: 0, perRegistrableDomain: 0 },
    export: { dir: `export-${round}` },
  };
  writeFileSync(file, JSON.stringify(value));
  return file;
}

const floors: Usage[] = [];
const products: Usage[] = [];
for (let round = 0; round <= rounds; round++) {
  const floor = await measure([join(root, 'test/bench/crawl-floor.ts'), floorFile]);
  const product = await measure([
    ...productNodeArgs,
    join(root, 'src/cli.ts'),
    'crawl',
    '--json',
    '--config',
    settings(round),
  ]);
  const found = JSON.parse(product.output).byVerdict.find(({ name }: { name: string }) => name === 'loops').count;
  if (found !== JSON.parse(floor.output).loops)
    throw new Error(`the two did not find the same: ${found}, ${floor.output}`);
  // The first round warms the fleet's certificates and is not counted.
  if (round > 0) {
    floors.push(floor);
    products.push(product);
  }
}
fleet.stdin?.end();

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const figure = (name: string, of: (usage: Usage) => number, digits: number) => ({
  figure: name,
  floor: median(floors.map(of)).toFixed(digits),
  product: median(products.map(of)).toFixed(digits),
  ratio: median(products.map((product, i) => of(product) / of(floors[i] ?? product))).toFixed(2),
});
const table = new Table({ columns: [{ name: 'figure', alignment: 'left' }], shouldDisableColors: true });
table.addRows([
  figure('hosts a second', ({ wallMs }) => (hosts * 1_000) / wallMs, 0),
  figure('CPU ms a host', ({ cpuMs }) => cpuMs / hosts, 2),
  figure('peak memory, MB', ({ peakRssMB }) => peakRssMB, 0),
]);
process.stdout.write(
  `${hosts} hosts, ${rounds} rounds, Node ${process.versions.node}; start-up, names, export and all included; the fleet runs on the same machine\n${table.render()}\n`,
);
rmSync(folder, { recursive: true });
