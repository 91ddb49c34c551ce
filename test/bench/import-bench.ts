import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ListFormat, listPieces } from './import-list.ts';
import type { Usage } from './measure.ts';

/** A request received by `lists.example`. */
export interface ListRequest {
  method: string;
  url: string;
  isConditional: boolean;
  status: number;
}

/** Cost and result of one run of all sources in its own process. */
export interface ImportResult extends Usage {
  /** Duration of the run, without the start of the process. */
  ms: number;
  reports: Record<string, unknown>[];
  requests: ListRequest[];
}

/** A list of candidates, and the database that it is imported into, empty at first. */
export interface ImportBench extends AsyncDisposable {
  readonly database: string;
  readonly bytes: number;
  /** Runs the same process without any source. */
  baseline(): Promise<ImportResult>;
  importOnce(): Promise<ImportResult>;
  /** Makes the server ignore the headers of conditional requests. */
  ignoreConditions(): void;
}

interface ListSource {
  source: Record<string, unknown>;
  network: Record<string, unknown>;
  bytes: number;
}

const benchFile = (name: string) => join(import.meta.dirname, name);

export async function createImportBench(candidates: number, format: ListFormat): Promise<ImportBench> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-import-'));
  const requests: ListRequest[] = [];
  const server = format === 'web' ? start([benchFile('import-list-server.ts'), String(candidates)]) : null;
  const { source, network, bytes } =
    server === null ? await writeList(folder, candidates, format) : await waitForServer(server, requests);
  const writeSettings = (name: string, sources: unknown[]) => {
    const file = join(folder, `${name}.json`);
    const settings = { database: `${name}.sqlite`, domains: { allowSuffixes: ['example'] }, network, sources };
    writeFileSync(file, JSON.stringify({ ...settings, export: { dir: 'export' } }));
    return file;
  };
  const runSources = async (file: string): Promise<ImportResult> => {
    const usageFile = join(folder, 'usage.json');
    requests.length = 0;
    const args = [
      // Same as the npm scripts.
      '--max-semi-space-size=8',
      '--import',
      benchFile('../../src/keep-compiled.mjs'),
      '--import',
      benchFile('measure.ts'),
      benchFile('import-once.ts'),
      file,
    ];
    const child = start(args, { BENCH_USAGE_FILE: usageFile });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the import exited with ${code}: ${output}`);
    const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Usage;
    return { ...usage, ...(JSON.parse(output) as Pick<ImportResult, 'ms' | 'reports'>), requests: [...requests] };
  };
  return {
    database: join(folder, 'import.sqlite'),
    bytes,
    baseline: () => runSources(writeSettings('baseline', [])),
    importOnce: () => runSources(writeSettings('import', [{ ...source, most: 10_000_000 }])),
    ignoreConditions: () => void server?.stdin?.write('no conditions\n'),
    async [Symbol.asyncDispose]() {
      if (server !== null) {
        server.stdin?.end();
        await once(server, 'close');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function writeList(folder: string, candidates: number, format: ListFormat): Promise<ListSource> {
  const path = join(folder, `list.${format}`);
  let bytes = 0;
  function* counted() {
    for (const piece of listPieces(format, candidates)) {
      bytes += piece.length;
      yield piece;
    }
  }
  await pipeline(Readable.from(counted()), createWriteStream(path));
  return { source: { type: 'file', path, format }, network: {}, bytes };
}

async function waitForServer(server: ChildProcess, requests: ListRequest[]): Promise<ListSource> {
  type Ready = { port: number; caFile: string; dnsServer: string; bytes: number };
  const { port, caFile, dnsServer, bytes } = await new Promise<Ready>((resolve) => {
    createInterface({ input: server.stdout ?? process.stdin }).on('line', (line) => {
      const message = JSON.parse(line) as Ready | ListRequest;
      if ('port' in message) resolve(message);
      else requests.push(message);
    });
  });
  const url = `https://lists.example:${port}/servers.json`;
  return {
    source: { type: 'json', url, hosts: 'data.*.domain', software: 'software', maxBytes: 200_000_000, everyHours: 1 },
    network: { allow: ['127.0.0.1/32'], dnsServers: [dnsServer], caFile },
    bytes,
  };
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'inherit'] });
}
