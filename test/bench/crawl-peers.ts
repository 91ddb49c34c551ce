import { existsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CrawlBench } from './crawl-processes.ts';
import type { TimedProcess } from './time-process.ts';
import { timeProcess } from './time-process.ts';

/** Another program that reads every host of the fleet. */
export interface Peer {
  name: string;
  requestsPerHost: number;
  /** Crawls the fleet once in its own process. @throws when it did not read every host. */
  crawl(): Promise<Omit<TimedProcess, 'output'>>;
}

export interface FoundPeers {
  peers: Peer[];
  /** One sentence for each program that is not installed. */
  missing: string[];
}

/**
 * Finds the programs on this machine that the product is compared with: Fedify in `node_modules` of the current folder or of the
 * folder in BENCH_MODULES, and curl and Scrapy in PATH. All verify certificates.
 * @param floorFile the input of crawl-floor.ts.
 */
export function findPeers({ folder, fleet, measure }: CrawlBench, floorFile: string, concurrency: number): FoundPeers {
  const { caFile, hosts } = fleet;
  // The other hosts have no NodeInfo.
  const withNodeInfo = hosts.filter(({ kind }) => kind === 'mastodon').length;

  const fedifyPeer = (module: string): Peer => ({
    name: 'Fedify getNodeInfo',
    requestsPerHost: 1 + withNodeInfo / hosts.length,
    crawl: async () => {
      const script = join(import.meta.dirname, 'crawl-fedify.ts');
      const { output, ...usage } = await measure([script, floorFile, module], { NODE_EXTRA_CA_CERTS: caFile });
      return requireAllRead(usage, JSON.parse(output).read, withNodeInfo);
    },
  });

  const curlPeer = (command: string): Peer => {
    const paths = (kind: string) => ['/robots.txt', '/api/v1/config', ...(kind === 'mastodon' ? NODEINFO_PATHS : [])];
    const urls = hosts.flatMap(({ domain, kind }) => paths(kind).map((path) => `https://${domain}${path}`));
    const config = join(folder, 'curl.txt');
    writeFileSync(config, urls.map((url) => `url = "${url}"\noutput = "/dev/null"\n`).join(''));
    return {
      name: 'curl --parallel',
      requestsPerHost: urls.length / hosts.length,
      crawl: async () => {
        const args = [
          '--silent',
          '--no-progress-meter',
          '--parallel',
          '--parallel-max',
          `${concurrency}`,
          '--connect-to',
          '::127.0.0.1:',
          '--cacert',
          caFile,
          '--write-out',
          '%{response_code} %{url}\n',
          '--config',
          config,
        ];
        const { output, ...usage } = await timeProcess([command, ...args]);
        const read = output.split('\n').filter((line) => /^200 .*\/(config|nodeinfo\/2\.\d)$/.test(line));
        return requireAllRead(usage, read.length, hosts.length);
      },
    };
  };

  const scrapyPeer = (command: string): Peer => ({
    name: 'Scrapy',
    requestsPerHost: 2 + (2 * withNodeInfo) / hosts.length,
    crawl: async () => {
      const script = join(import.meta.dirname, 'crawl-scrapy.py');
      const settings = ['-s', `CONCURRENT_REQUESTS=${concurrency}`, '-s', 'LOG_LEVEL=ERROR'];
      const args = ['runspider', script, ...settings, '-a', `file=${floorFile}`];
      const { output, ...usage } = await timeProcess([command, ...args], { SSL_CERT_FILE: caFile });
      return requireAllRead(usage, JSON.parse(output).read, hosts.length);
    },
  });

  const candidates = [
    { name: 'Fedify', location: moduleUrl('@fedify/fedify'), create: fedifyPeer },
    { name: 'curl', location: commandPath('curl'), create: curlPeer },
    { name: 'Scrapy', location: commandPath('scrapy'), create: scrapyPeer },
  ];
  return {
    peers: candidates.flatMap(({ location, create }) => (location === null ? [] : [create(location)])),
    missing: candidates
      .filter(({ location }) => location === null)
      .map(({ name }) => `not measured: ${name} is not installed`),
  };
}

const NODEINFO_PATHS = ['/.well-known/nodeinfo', '/nodeinfo/2.0'];

function moduleUrl(name: string): string | null {
  for (const folder of [process.env.BENCH_MODULES, process.cwd()]) {
    try {
      if (folder !== undefined) return pathToFileURL(createRequire(`${resolve(folder)}/`).resolve(name)).href;
    } catch {
      // It is not installed there.
    }
  }
  return null;
}

function commandPath(name: string): string | null {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return paths.find((path) => existsSync(path)) ?? null;
}

function requireAllRead<T>(usage: T, read: number, expected: number): T {
  if (read !== expected) throw new Error(`only ${read} of ${expected} hosts were read`);
  return usage;
}
