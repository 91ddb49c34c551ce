/**
 * What importing a large list takes. Run alone: node test/bench/import.ts [CANDIDATES, default 1000000]
 * One list of about 50 bytes a candidate, as JSON over HTTPS, read by a process of its own into an empty database: time, memory, and what
 * became of every line. Then again: nothing may change, for one conditional request beside that of robots.txt.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import SqliteDatabase from 'better-sqlite3';
import type { Usage } from './measure.ts';

const candidates = Number(process.argv[2] ?? 1_000_000);
const say = (line: string) => process.stdout.write(`${line}\n`);
const inThisFolder = (name: string) => join(import.meta.dirname, name);

interface Request {
  method: string;
  url: string;
  isConditional: boolean;
  status: number;
}
interface Ready {
  port: number;
  caFile: string;
  dnsServer: string;
  bytes: number;
}

const folder = mkdtempSync(join(tmpdir(), 'loopscout-import-'));
const requests: Request[] = [];
const server = start([inThisFolder('import-list-server.ts'), String(candidates)]);
try {
  const ready = await new Promise<Ready>((resolve) => {
    createInterface({ input: server.stdout ?? process.stdin }).on('line', (line) => {
      const told = JSON.parse(line) as Ready | Request;
      if ('port' in told) resolve(told);
      else requests.push(told);
    });
  });
  const database = join(folder, 'import.sqlite');
  const file = join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify(settingsFor(ready)));
  say(`${candidates.toLocaleString('en')} candidates in a list of ${megabytes(ready.bytes)} MB`);
  const first = await importOnce(file);
  tell('first import', first);
  const before = contentOf(database);
  say(`  database ${megabytes(statSync(database).size)} MB; in it: ${JSON.stringify(before)}`);
  const second = await importOnce(file);
  tell('second import', second);
  const after = contentOf(database);
  const isSame = JSON.stringify({ ...after, runs: 0 }) === JSON.stringify({ ...before, runs: 0 });
  say(`  the database ${isSame ? 'holds the same' : `CHANGED: ${JSON.stringify(after)}`}`);
} finally {
  server.stdin?.end();
  await once(server, 'close');
  rmSync(folder, { recursive: true, force: true });
}

function settingsFor({ port, caFile, dnsServer }: Ready) {
  return {
    database: 'import.sqlite',
    domains: { allowSuffixes: ['example'] },
    network: { allow: ['127.0.0.1/32'], dnsServers: [dnsServer], caFile },
    sources: [
      {
        type: 'json',
        url: `https://lists.example:${port}/servers.json`,
        hosts: 'data.*.domain',
        software: 'software',
        most: 10_000_000,
        maxBytes: 200_000_000,
        everyHours: 1,
      },
    ],
    export: { dir: 'export' },
  };
}

interface Imported extends Usage {
  ms: number;
  reports: Record<string, unknown>[];
  requests: Request[];
}

async function importOnce(file: string): Promise<Imported> {
  const usageFile = join(folder, 'usage.json');
  requests.length = 0;
  const child = start(
    ['--max-semi-space-size=8', '--import', inThisFolder('measure.ts'), inThisFolder('import-once.ts'), file],
    { BENCH_USAGE_FILE: usageFile },
  );
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the import ended with ${code}: ${output}`);
  const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
  return { ...usage, ...(JSON.parse(output) as Pick<Imported, 'ms' | 'reports'>), requests: [...requests] };
}

function tell(name: string, { ms, cpuMs, peakRssMB, reports, requests: sent }: Imported): void {
  say(
    `${name}: ${(ms / 1_000).toFixed(1)} s, CPU ${(cpuMs / 1_000).toFixed(1)} s, peak memory ${peakRssMB.toFixed(0)} MB`,
  );
  for (const report of reports) say(`  ${JSON.stringify(report)}`);
  const told = sent.map(({ method, url, isConditional, status }) => {
    return `${method} ${url}${isConditional ? ' if changed' : ''}: ${status}`;
  });
  say(`  requests: ${told.join(', ')}`);
}

/** What the tables of domains and sources hold, summed up so that a change shows. */
function contentOf(path: string): Record<string, unknown> {
  const sqlite = new SqliteDatabase(path, { readonly: true });
  try {
    return sqlite
      .prepare(
        `select (select count(*) from domains) as domains, (select sum(next_visit % 1000003) from domains) as due,
           (select sum(hinted) from domains) as hinted, (select count(*) from domain_sources) as memberships,
           (select sum(first_at % 1000003) from domain_sources) as since, (select count(*) from source_runs) as runs`,
      )
      .get() as Record<string, unknown>;
  } finally {
    sqlite.close();
  }
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
