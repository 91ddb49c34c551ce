import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import type { FileSystem } from '../../src/export/files/temporary-files.ts';
import { UNNAMED } from '../../src/export/publication.ts';
import type { Manifest } from '../../src/export/schema/manifest.ts';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { describeCrawler } from '../../src/service/about.ts';
import { writeDatasets } from '../../src/service/tasks/write-datasets.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { openStore } from '../../src/store/open-store.ts';
import { createFilledHome } from '../commands/filled-home.ts';
import { manifestFaults } from '../export/export-folder.ts';
import { candidates, readOnce } from '../store/sample-source.ts';

const staying = storedDomain('stays.example.org');
const leaving = storedDomain('leaves.example.net');

/** A published folder and site of two instances, one of which has opted out since. */
async function optedOutHome() {
  const home = createFilledHome();
  const site = join(home.folder, 'public');
  {
    await using store = await openStore({ path: home.database });
    const listed = candidates([staying, leaving]);
    readOnce(store, '/lists/secret.txt', listed, Date.now() - 7_200_000, { type: 'file' });
    readOnce(store, `https://${leaving}/peers`, listed, Date.now() - 7_000_000);
  }
  await home.visit([staying, leaving], Date.now() - 3_600_000);
  expect((await home.command('export', '--site', site)).code).toBe(0);
  await using store = await openStore({ path: home.database });
  store.optOuts.forget([leaving], Date.now());
  const settings = loadSettings({ file: join(home.folder, 'settings.json') });
  /** Exports onto a disk that has space while `hasSpace` says so. */
  const exportTo = (hasSpace: () => boolean, mustPurge: boolean) => {
    const input = {
      ...{ database: home.database, dir: home.exportDir, at: Date.now(), visitsDays: 400 },
      ...{ publication: UNNAMED, about: describeCrawler(settings) },
      ...({ flags: { crowdedFrom: 10, staleDays: 7 }, months: 'rewrite-unfinished', maxDropPercent: 15 } as const),
      ...{
        force: false,
        mustPurge,
        site: { dir: site, base: null, about: describeCrawler(settings), pages: settings.site },
      },
    };
    return writeDatasets(input, new AbortController().signal, diskWith(hasSpace));
  };
  /** The files of a folder that name the host. */
  const naming = (dir: string) =>
    readdirSync(dir, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => path.includes(leaving) || readFileSync(path, 'latin1').includes(leaving));
  return { ...home, site, exportTo, naming };
}

function diskWith(hasSpace: () => boolean): FileSystem {
  return {
    rename,
    open: async (path, flags) => {
      const handle = await open(path, flags);
      const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
      const checked = async (...args: unknown[]) => {
        if (!hasSpace()) throw Object.assign(new Error('injected'), { code: 'ENOSPC' });
        return await write(...args);
      };
      return Object.assign(handle, { write: checked });
    },
  };
}

test('a full disk has space for an opt-out once the files that can be made again are deleted', async () => {
  const { exportDir, site, exportTo, naming } = await optedOutHome();
  const before = naming(exportDir).map((path) => relative(exportDir, path));
  expect(before).toEqual(
    expect.arrayContaining(['instances.json', 'memberships.csv', 'instances-all.csv', 'changes.csv']),
  );
  expect(before).toContain('manifest.json');
  const { counts } = await exportTo(() => !existsSync(join(exportDir, 'instances.json')), true);
  expect(counts.instances).toBe(1);
  expect([...naming(exportDir), ...naming(site)]).toEqual([]);
  expect(await manifestFaults(exportDir)).toEqual([]);
  expect(readFileSync(join(exportDir, 'memberships.csv'), 'utf8').split('\r\n').slice(1)).toEqual([
    expect.stringMatching(new RegExp(`^${staying},file-secret,`)),
    expect.stringMatching(new RegExp(`^${staying},forgotten-source-2,`)),
    '',
  ]);
  expect(readFileSync(join(site, 'instances', staying, 'index.html'), 'utf8')).toContain(staying);
});

test('on a disk that stays full, neither the site nor a dataset names a host that opted out, and a later export writes them again', async () => {
  const { exportDir, site, exportTo, naming } = await optedOutHome();
  await expect(exportTo(() => false, true)).rejects.toMatchObject({ name: 'ExportError', code: 'ENOSPC' });
  expect(readdirSync(site)).toEqual(['.loopscout-site.json']);
  expect(naming(site)).toEqual([]);
  expect(readdirSync(exportDir).sort()).toEqual(['history', 'manifest.json', 'schema', 'usage', 'visits']);
  expect(readdirSync(join(exportDir, 'history'))).toHaveLength(2);
  await exportTo(() => true, true);
  expect([...naming(exportDir), ...naming(site)]).toEqual([]);
  expect(existsSync(join(exportDir, 'instances.json'))).toBe(true);
});

test('the manifest says how the data were sampled, without paths', async () => {
  const { exported } = await optedOutHome();
  const { sampling } = JSON.parse(exported('manifest.json')) as Manifest;
  expect(sampling).toMatchObject({
    ...{ contact: 'https://clips.dev/about', robots: 'standard', workers: 0, jitter: 0.1, maxHours: 720 },
    ...{ deadAfterFailures: 6, deadAfterDays: 7, visitsKeptDays: 400, gaps: [] },
    sources: [
      { name: 'file-secret', kind: 'file', active: true, lastOutcome: 'complete' },
      { name: `json-${leaving}`, kind: 'json', active: true, lastOutcome: 'complete' },
    ],
  });
  expect(sampling?.intervals).toContainEqual({ after: 'loopsHours', hours: 6, doubles: false });
  expect(Date.parse(sampling?.until ?? '')).toBeGreaterThanOrEqual(Date.parse(sampling?.since ?? ''));
  expect(exported('manifest.json')).not.toContain('/lists/');
});

test('without an opt-out to publish, a full disk leaves the published files as they are', async () => {
  const { exportDir, exportTo } = await optedOutHome();
  const before = readFileSync(join(exportDir, 'instances.json'), 'utf8');
  await expect(exportTo(() => false, false)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(readFileSync(join(exportDir, 'instances.json'), 'utf8')).toBe(before);
});
