import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  createFleet,
  type Fleet,
  type FleetFile,
  type FleetOptions,
  JsonFileError,
  readFleetFile,
} from '../reference/index.ts';
import { wholeNumber } from './input/values.ts';
import { explainListenError, type Started } from './reference-server.ts';

/** A number of hosts, or the hosts of a file. */
export type WantedFleet = { hosts: number } | { file: FleetFile; path: string };

/**
 * Parses `--fleet`: a number of hosts, or the path of a fleet file.
 * @throws {UsageError | JsonFileError} naming every problem.
 */
export function fleetOf(text: string, cwd: string): WantedFleet {
  if (/^-?[\d.]+$/.test(text)) return { hosts: wholeNumber('--fleet', text, 1, 100_000) };
  const path = resolve(cwd, text);
  return { file: readFleetFile(path), path };
}

export type ReferenceFleetFlags = Pick<FleetOptions, 'port' | 'seed'> & Partial<WantedFleet>;

/** @throws {UsageError | JsonFileError} when the port or the fleet file cannot be used. */
export async function startReferenceFleet(flags: ReferenceFleetFlags): Promise<Started> {
  const { path, ...options } = { path: '', ...flags };
  const fleet = await createFleet(options).catch((error: unknown) => {
    if (error instanceof JsonFileError) throw new JsonFileError(path, error.problems, { cause: error });
    throw explainListenError(error, flags.port ?? 0);
  });
  // In the folder of the authority, which the fleet removes when it closes.
  const list = join(dirname(fleet.caFile), 'domains.txt');
  await writeFile(list, fleet.hosts.map(({ domain }) => `${domain}\n`).join(''));
  const settings = { ...fleetSettings(fleet), sources: [{ type: 'file', path: list }] };
  return {
    facts: {
      url: `https://127.0.0.1:${fleet.port}`,
      port: fleet.port,
      caFile: fleet.caFile,
      dnsServer: fleet.dnsServer,
      settings,
      hosts: fleet.hosts,
    },
    text: describe(fleet, settings),
    [Symbol.asyncDispose]: fleet.close,
  };
}

function describe(fleet: Fleet, settings: object): string {
  const { caFile, dnsServer, hosts, port } = fleet;
  const example = (hosts.find(({ kind }) => kind === 'loops') ?? hosts[0])?.domain ?? '';
  const unpredicted = hosts.filter(({ expect }) => expect === null).length;
  return [
    `${hosts.length} virtual hosts on 127.0.0.1:${port}, names from the DNS server ${dnsServer}, certificates signed by ${caFile}. Try:`,
    `  curl -sS --cacert ${caFile} --resolve ${example}:127.0.0.1 https://${example}/api/v1/config`,
    'To crawl the fleet, put these settings into crawler.config.json in an empty folder, and start a crawl there:',
    `  ${JSON.stringify(settings)}`,
    '--json prints each host with its expected verdict, and as a row for a fleet file.',
    ...(unpredicted === 0
      ? []
      : [
          `Hosts without an expected verdict: ${unpredicted}. Their rows change what decides the verdict, and have no "expect".`,
        ]),
  ].join('\n');
}

/** The settings with which a crawl can reach a fleet. Of the addresses that are not public, they allow only 127.0.0.1. */
export function fleetSettings({ caFile, dnsServer, hosts }: Pick<Fleet, 'caFile' | 'dnsServer' | 'hosts'>) {
  const suffixes = hosts.map(({ row }) => row.name?.split('.').at(-1) ?? 'example');
  return {
    domains: { allowSuffixes: [...new Set(suffixes)] },
    network: { allow: ['127.0.0.1/32'], dnsServers: [dnsServer], caFile },
    queue: { visitsPerSecond: 0, perAddress: 0 },
  };
}
