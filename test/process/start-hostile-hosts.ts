import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { createTestNetwork } from '../create-test-network.ts';
import type { HostileHosts } from './hostile-hosts.ts';
import { repository } from './run-cli.ts';

/** Hosts under `spread` registrable domains at `spread` addresses. The kinds of answers alternate from host to host. */
export interface HostGroup {
  /** Chooses the kinds of the group among all kinds. */
  kinds: (all: readonly string[]) => readonly string[];
  hosts: number;
  spread: number;
}

/**
 * Starts each group in a process of its own, and writes settings for a crawl of them: the defaults, except for the network and shorter time limits.
 *
 * @returns the domains of each group.
 */
export async function startHostileHosts(
  requested: readonly HostGroup[],
): Promise<{ settingsFile: string; groups: string[][] }> {
  const testNetwork = await createTestNetwork();
  const authorities: string[] = [];
  const groups: string[][] = [];
  for (const [group, { kinds, hosts, spread }] of requested.entries()) {
    const addresses = Array.from({ length: spread }, (_, index) => `127.0.${30 + group}.${index + 1}`);
    const child = spawn(process.execPath, [`${repository}test/process/hostile-hosts.ts`, ...addresses], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { port, authority, kinds: all } = JSON.parse(line as string) as HostileHosts;
    authorities.push(authority);
    const chosen = kinds(all);
    groups.push(
      Array.from({ length: hosts }, (_, index) => {
        const name = `${chosen[index % chosen.length]}-${Math.floor(index / chosen.length)}.group${group}-${index % spread}.example`;
        testNetwork.addName(name, addresses[index % spread] ?? '');
        return `${name}:${port}`;
      }),
    );
  }
  const { network, domains: domainSettings } = testNetwork.settings({});
  writeFileSync(join(testNetwork.folder, 'ca.pem'), authorities.join('\n'));
  writeFileSync(join(testNetwork.folder, 'seeds.txt'), groups.flat().join('\n'));
  const settingsFile = join(testNetwork.folder, 'settings.json');
  const settings = {
    database: 'test.sqlite',
    sources: [{ type: 'file', path: 'seeds.txt' }],
    domains: domainSettings,
    // Shorter than the defaults: what they limit is as endless in three seconds as in ten.
    network: { ...network, timeouts: { connectMs: 3_000, responseMs: 3_000, visitMs: 9_000 } },
    export: { dir: 'export' },
  };
  writeFileSync(settingsFile, JSON.stringify(settings));
  return { settingsFile, groups };
}
