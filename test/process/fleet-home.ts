import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fleet } from '../../src/reference/index.ts';

/** A temporary folder with seeds and settings for a crawl of a fleet; removed on dispose. */
export interface FleetHome extends Disposable {
  folder: string;
  settingsFile: string;
  database: string;
  exportDir: string;
}

/** @param overrides merged into the settings, one level deep. */
export function createFleetHome(
  fleet: Pick<Fleet, 'dnsServer' | 'caFile'> & { hosts: readonly { domain: string }[] },
  overrides: Record<string, object> = {},
): FleetHome {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  const settings: Record<string, unknown> = {
    database: 'data/test.sqlite',
    sources: [{ type: 'file', path: 'seeds.txt' }],
    domains: { allowSuffixes: ['example'] },
    network: { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
    queue: { visitsPerSecond: 0, perAddress: 0 },
    export: { dir: 'export' },
  };
  for (const [key, value] of Object.entries(overrides)) settings[key] = { ...(settings[key] as object), ...value };
  writeFileSync(join(folder, 'seeds.txt'), fleet.hosts.map(({ domain }) => `${domain}\n`).join(''));
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
  return {
    folder,
    settingsFile: join(folder, 'settings.json'),
    database: join(folder, 'data/test.sqlite'),
    exportDir: join(folder, 'export'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
