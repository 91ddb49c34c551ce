import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { HostAddress, Resolver } from './resolver.ts';

/** Addresses by lower-cased name. Each line of a hosts file (hosts(5)) holds an address, then its names; `#` begins a comment. */
export function parseHostsFile(text: string): Map<string, HostAddress[]> {
  const hosts = new Map<string, HostAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((each) => each.toLowerCase().replace(/\.$/, ''))) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family: family === 4 ? 4 : 6 }]);
    }
  }
  return hosts;
}

/** The system's hosts file; empty when it cannot be read. */
export function readHostsFile(path: string = systemHostsFile()): Map<string, HostAddress[]> {
  try {
    return parseHostsFile(readFileSync(path, 'utf8'));
  } catch {
    return new Map();
  }
}

function systemHostsFile(): string {
  return process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
}

/** Looks a name up in a hosts file before the DNS, as the system resolver does. The address guard judges these addresses too. */
export function withHostsFile(resolver: Resolver, hosts: ReadonlyMap<string, readonly HostAddress[]>): Resolver {
  if (hosts.size === 0) return resolver;
  return {
    ...resolver,
    async resolve(host) {
      const [first, ...rest] = hosts.get(host.toLowerCase()) ?? [];
      if (first === undefined) return resolver.resolve(host);
      return { ok: true, addresses: [first, ...rest], ttlSeconds: 0 };
    },
  };
}
