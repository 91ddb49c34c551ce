import type { Fleet } from '../reference/index.ts';

/** The settings that let a crawl reach a fleet and nothing else of this machine. */
export function fleetSettings({ caFile, dnsServer, hosts }: Pick<Fleet, 'caFile' | 'dnsServer' | 'hosts'>) {
  const suffixes = hosts.map(({ row }) => row.name?.split('.').at(-1) ?? 'example');
  return {
    domains: { allowSuffixes: [...new Set(suffixes)] },
    network: { allow: ['127.0.0.1/32'], dnsServers: [dnsServer], caFile },
    queue: { visitsPerSecond: 0, perAddress: 0 },
  };
}
