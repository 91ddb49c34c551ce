import { abortOnSignal } from '../app.ts';
import { createFleet, createReferenceServer } from '../reference/index.ts';
import { type Run, UsageError } from './command.ts';

interface ReferenceFlags {
  port?: string;
  profile?: string;
  fleet?: string;
}

const DEFAULT_PORT = 8_089;

/** `reference`: one reference server, or a fleet of them, until it is interrupted. */
export const run: Run<ReferenceFlags> = async ({ options, terminal }) => {
  const { profile = 'spec' } = options;
  if (profile !== 'spec' && profile !== 'live') throw new UsageError(`--profile is ${profile}; allowed: spec or live`);
  using interrupt = abortOnSignal();
  await using server =
    options.fleet === undefined
      ? await startOne(profile, wholeNumber('--port', options.port ?? `${DEFAULT_PORT}`, 0, 65_535))
      : await startFleet(
          wholeNumber('--fleet', options.fleet, 1, 100_000),
          wholeNumber('--port', options.port ?? '0', 0, 65_535),
        );
  terminal.stdout.write(options.json === true ? `${JSON.stringify(server.facts)}\n` : `${server.text}\n`);
  await new Promise((resolve) => interrupt.signal.addEventListener('abort', resolve, { once: true }));
  return 0;
};

interface Started extends AsyncDisposable {
  /** For a machine: one line of JSON. */
  facts: object;
  /** For a person. */
  text: string;
}

async function startOne(profile: 'spec' | 'live', port: number): Promise<Started> {
  const { url, close } = await createReferenceServer({ profile, port });
  const text = [
    `Reference server at ${url} (profile ${profile}). Try:`,
    `  curl ${url}/api/v1/config`,
    `  curl ${url}/.well-known/nodeinfo`,
    `  curl ${url}/nodeinfo/2.0`,
  ].join('\n');
  return { facts: { url, profile }, text, [Symbol.asyncDispose]: close };
}

async function startFleet(hosts: number, port: number): Promise<Started> {
  const fleet = await createFleet({ hosts, port });
  const { caFile, dnsServer } = fleet;
  const example = fleet.hosts[0]?.domain ?? '';
  const text = [
    `${fleet.hosts.length} virtual hosts on 127.0.0.1:${fleet.port}, names from the DNS server ${dnsServer}, certificates signed by ${caFile}. Try:`,
    `  curl --cacert ${caFile} --resolve ${example}:127.0.0.1 https://${example}/api/v1/config`,
    'To crawl a host of it, put these settings into a file:',
    `  ${JSON.stringify(fleetSettings(fleet))}`,
    'The hosts, and what must be found of each, are in the output of --json.',
  ].join('\n');
  const facts = {
    url: `https://127.0.0.1:${fleet.port}`,
    caFile,
    dnsServer,
    settings: fleetSettings(fleet),
    hosts: fleet.hosts,
  };
  return { facts, text, [Symbol.asyncDispose]: fleet.close };
}

/** The settings that let a crawl reach a fleet and nothing else of this machine. */
export function fleetSettings({ caFile, dnsServer }: { caFile: string; dnsServer: string }) {
  return {
    domains: { allowSuffixes: ['example'] },
    network: { allow: ['127.0.0.1/32'], dnsServers: [dnsServer], caFile },
    queue: { visitsPerSecond: 0, perAddress: 0 },
  };
}

/** @throws {UsageError} when it is anything else. */
export function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${flag} is ${text}; allowed: a whole number from ${least} to ${most}`);
}
