import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startCrawlBench } from './crawl-processes.ts';
import { median, printTable } from './print-figures.ts';
import { timeProcess } from './time-process.ts';

/**
 * `npm run bench -- startup [rounds]`: wall time and CPU time of short commands of the built package, of `serve` until its port
 * answers, and of the imports of the library. Figures are medians; the first round is not counted.
 */
const rounds = Number(process.argv[2] ?? 5);
const root = fileURLToPath(new URL('../../', import.meta.url));
const cli = join(root, 'dist/cli.js');

interface Times {
  wallMs: number;
  cpuMs: number;
}

const timeNode = (...args: string[]): Promise<Times> => timeProcess([process.execPath, ...args]);

async function timeServe(config: string): Promise<Times> {
  const startedAt = performance.now();
  const args = [cli, 'serve', '--json', '--config', config, '--set', 'serve.port=0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  try {
    const [line] = await once(child.stdout, 'data');
    const { health } = JSON.parse(line) as { health: string };
    await (await fetch(health)).text();
    return { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(child.pid) };
  } finally {
    child.kill();
    await ended;
  }
}

/** CPU time of a running process according to Linux, which counts in steps of 10 ms. */
function cpuMsOf(pid: number | undefined): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(11)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
}

async function timeImport(path: string): Promise<Times> {
  const script = `
    const [wall, cpu] = [performance.now(), process.cpuUsage()];
    await import(${JSON.stringify(pathToFileURL(join(root, path)).href)});
    const { user, system } = process.cpuUsage(cpu);
    console.log(JSON.stringify({ wallMs: performance.now() - wall, cpuMs: (user + system) / 1_000 }));`;
  const { output } = await timeProcess([process.execPath, '--input-type=module', '--eval', script]);
  return JSON.parse(output);
}

execFileSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' });
using bench = await startCrawlBench({ hosts: 10, mix: { loops: 1, mastodon: 1 } });
// The crawl that fills this database leaves nothing due.
const crawlArguments = ['filled', bench.fleet.hosts.map(({ domain }) => domain), {}] as const;
await bench.crawl(...crawlArguments);
const config = bench.configure(...crawlArguments);

const { name, exports: entryPoints } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string;
  exports: Record<string, { default?: string }>;
};
const measurements: Record<string, () => Promise<Times>> = {
  'node alone': () => timeNode('--eval', '0'),
  '--version': () => timeNode(cli, '--version'),
  'check --help': () => timeNode(cli, 'check', '--help'),
  'crawl, nothing due': () => timeNode(cli, 'crawl', '--json', '--config', config),
  'serve, until it answers': () => timeServe(config),
};
for (const [entryPoint, { default: path }] of Object.entries(entryPoints))
  if (path !== undefined) measurements[`import '${join(name, entryPoint)}'`] = () => timeImport(path);

const rows: Record<string, string>[] = [];
for (const [start, time] of Object.entries(measurements)) {
  const times: Times[] = [];
  for (let round = 0; round <= rounds; round++) times.push(await time());
  const counted = times.slice(1);
  const [wallMs, cpuMs] = [counted.map((one) => one.wallMs), counted.map((one) => one.cpuMs)];
  rows.push({ start, 'wall ms': median(wallMs).toFixed(0), 'CPU ms': median(cpuMs).toFixed(0) });
}
printTable(`${rounds} rounds, Node ${process.versions.node}`, rows);
