import { resolve } from 'node:path';
import { createFleet, type Fleet, type FleetOptions } from '../reference/index.ts';
import { fleetSettings } from './fleet-settings.ts';
import { explainListenError } from './listen-error.ts';
import type { Started } from './started.ts';
import { wholeNumber } from './whole-number.ts';

export interface ReferenceFleetFlags extends Pick<FleetOptions, 'port' | 'seed'> {
  /** A number of hosts, or the path of a fleet file. */
  fleet: string;
  /** Folder that a relative path is taken from. */
  cwd: string;
}

/** @throws {UsageError} when something that was named cannot be used. */
export async function startReferenceFleet({ fleet: wanted, cwd, ...numbers }: ReferenceFleetFlags): Promise<Started> {
  const isNumber = /^-?[\d.]+$/.test(wanted);
  const which = isNumber ? { hosts: wholeNumber('--fleet', wanted, 1, 100_000) } : { file: resolve(cwd, wanted) };
  const fleet = await createFleet({ ...numbers, ...which }).catch((error: unknown) => {
    throw explainListenError(error, numbers.port ?? 0);
  });
  return {
    facts: {
      url: `https://127.0.0.1:${fleet.port}`,
      caFile: fleet.caFile,
      dnsServer: fleet.dnsServer,
      settings: fleetSettings(fleet),
      hosts: fleet.hosts,
    },
    text: describe(fleet),
    [Symbol.asyncDispose]: fleet.close,
  };
}

function describe(fleet: Fleet): string {
  const { caFile, dnsServer, hosts, port } = fleet;
  const example = (hosts.find(({ kind }) => kind === 'loops') ?? hosts[0])?.domain ?? '';
  const unpredicted = hosts.filter(({ expect }) => expect === null).length;
  return [
    `${hosts.length} virtual hosts on 127.0.0.1:${port}, names from the DNS server ${dnsServer}, certificates signed by ${caFile}. Try:`,
    `  curl -sS --cacert ${caFile} --resolve ${example}:127.0.0.1 https://${example}/api/v1/config`,
    'To crawl a host of it, put these settings into a file:',
    `  ${JSON.stringify(fleetSettings(fleet))}`,
    'The hosts, what must be found of each, and each as a row of a fleet file, are in the output of --json.',
    ...(unpredicted === 0
      ? []
      : [`Of ${unpredicted} hosts nothing is predicted: their rows change what decides, and have no "expect".`]),
  ].join('\n');
}
