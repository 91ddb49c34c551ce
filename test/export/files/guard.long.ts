import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterVisit } from '../../../src/crawl/schedule/after-visit.ts';
import type { InstancesFile } from '../../../src/directory/schema/instances-file.ts';
import { GuardError } from '../../../src/export/files/guard.ts';
import { UNNAMED } from '../../../src/export/publication.ts';
import type { Manifest } from '../../../src/export/schema/manifest.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { createAbout } from '../../../src/service/about.ts';
import { runInline } from '../../../src/service/tasks/tasks.ts';
import { loadSettings } from '../../../src/settings/settings.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { backUp } from '../../../src/store/sqlite/back-up.ts';
import { standardPolicy } from '../../crawl/schedule/standard-policy.ts';
import { hour, loopsVisit, sampleDomains, unreachableVisit } from '../../store/sample-visit.ts';
import { scratchPath } from '../../store/scratch.ts';
import { newFolder } from '../export-folder.ts';

const start = Date.UTC(2026, 0, 1);
const day = 24 * hour;
const fleet = sampleDomains(20);

/** Visits domains and schedules them like a crawl. */
async function visitAll(
  path: string,
  domains: readonly Domain[],
  at: number,
  visitOf: (domain: Domain, at: number) => Visit = loopsVisit,
): Promise<void> {
  await using store = await openStore({ path });
  store.domains.requestVisit(domains, at);
  const picked = store.due.pick(domains.length, at, domains);
  const results = picked.map((picked) => {
    const visit = visitOf(picked.record.domain, at);
    return { picked, visit, after: afterVisit(picked.record, visit, at, 0.5, standardPolicy) };
  });
  expect(store.visits.record(results)).toEqual([]);
}

const about = createAbout(() => loadSettings({ file: null, env: {} }))();
const exportTo = (database: string, dir: string, at: number, more: { force?: boolean; maxDropPercent?: number } = {}) =>
  runInline(
    'export',
    {
      database,
      dir,
      at,
      publication: UNNAMED,
      about,
      flags: { crowdedFrom: 1_000, staleDays: 7 },
      visitsDays: 400,
      months: 'all',
      maxDropPercent: 15,
      force: false,
      mustPurge: false,
      site: null,
      ...more,
    },
    new AbortController().signal,
  );

/** The number of published instances, and of those that are down. */
function published(dir: string): { listed: number; down: number } {
  const { instances } = JSON.parse(readFileSync(join(dir, 'instances.json'), 'utf8')) as InstancesFile;
  return { listed: instances.length, down: instances.filter(({ status }) => status === 'down').length };
}

/** A database of twenty instances, and their export. */
async function publishFleet(): Promise<{ path: string; dir: string }> {
  const [path, dir] = [scratchPath(), await newFolder()];
  await visitAll(path, fleet, start);
  await exportTo(path, dir, start);
  expect(published(dir)).toEqual({ listed: 20, down: 0 });
  return { path, dir };
}

/** Makes instances dead: eight visits fail, at intervals of two days. */
async function letDie(path: string, domains: readonly Domain[]): Promise<void> {
  for (let visit = 1; visit <= 8; visit++) await visitAll(path, domains, start + visit * 2 * day, unreachableVisit);
}

const guardMessage = async (attempt: Promise<unknown>): Promise<string> => {
  const error = await attempt.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (!(error instanceof GuardError)) throw new Error(`not held back: ${String(error)}`);
  expect(error.kind).toBe('failure');
  expect(error.message).toContain('--force');
  return error.message;
};

test('the first export is always published', async () => {
  const [path, dir] = [scratchPath(), await newFolder()];
  await visitAll(path, fleet.slice(0, 1), start);
  await exportTo(path, dir, start);
  expect(published(dir)).toEqual({ listed: 1, down: 0 });
  const [emptyDatabase, emptyExport] = [scratchPath(), await newFolder()];
  await (await openStore({ path: emptyDatabase }))[Symbol.asyncDispose]();
  await exportTo(emptyDatabase, emptyExport, start);
  expect(published(emptyExport)).toEqual({ listed: 0, down: 0 });
});

test('an outage of half the fleet is published: every instance stays listed, the failing ones as down', async () => {
  const { path, dir } = await publishFleet();
  // One failed visit is not yet an outage.
  for (const at of [start + 6 * hour, start + 7 * hour]) {
    await visitAll(path, fleet.slice(0, 10), at, unreachableVisit);
  }
  await exportTo(path, dir, start + 7 * hour);
  expect(published(dir)).toEqual({ listed: 20, down: 10 });
});

test('after half the fleet has died, the previous files stay until export.maxDropPercent allows the drop', async () => {
  const { path, dir } = await publishFleet();
  await letDie(path, fleet.slice(0, 10));
  const before = readFileSync(join(dir, 'instances.json'));
  const now = start + 17 * day;
  expect(await guardMessage(exportTo(path, dir, now))).toContain(
    '10 of 20 listed instances would disappear, 50.0 %, more than the 15 % that export.maxDropPercent allows',
  );
  expect(readFileSync(join(dir, 'instances.json'))).toEqual(before);
  await exportTo(path, dir, now, { maxDropPercent: 50 });
  expect(published(dir).listed).toBe(10);
});

test('three of twenty instances may disappear, four may not', async () => {
  for (const [dying, listed] of [
    [3, 17],
    [4, 20],
  ] as const) {
    const { path, dir } = await publishFleet();
    await letDie(path, fleet.slice(0, dying));
    await exportTo(path, dir, start + 17 * day).catch((error: unknown) => expect(error).toBeInstanceOf(GuardError));
    expect(published(dir).listed).toBe(listed);
  }
});

/** A visit that finds other software, which removes the instance from the directory at once. */
const otherVisit = (domain: Domain, at: number): Visit =>
  loopsVisit(domain, at, { verdict: 'other', reason: 'config-software', software: 'pixelfed', facts: null });

test('in a small directory one instance may disappear, two may not', async () => {
  for (const [size, leaving, listed] of [
    [6, 1, 5],
    [1, 1, 0],
    [6, 2, 6],
    [4, 4, 4],
  ] as const) {
    const [path, dir] = [scratchPath(), await newFolder()];
    await visitAll(path, fleet.slice(0, size), start);
    await exportTo(path, dir, start);
    await visitAll(path, fleet.slice(0, leaving), start + hour, otherVisit);
    const exporting = exportTo(path, dir, start + hour);
    if (listed === size) await guardMessage(exporting);
    else await exporting;
    expect(published(dir).listed, `${leaving} of ${size}`).toBe(listed);
  }
});

test('instances that disappear within a day are added up across exports, and no longer counted after that day', async () => {
  const { path, dir } = await publishFleet();
  const removeAndExport = async (from: number, to: number, at: number) => {
    await visitAll(path, fleet.slice(from, to), at, otherVisit);
    await exportTo(path, dir, at);
    return published(dir).listed;
  };
  expect(await removeAndExport(0, 2, start + hour)).toBe(18);
  expect(await removeAndExport(2, 3, start + 2 * hour)).toBe(17);
  // This export is refused, so the fourth instance counts as lost only with the next export.
  expect(await guardMessage(removeAndExport(3, 4, start + 3 * hour))).toContain(
    '4 of 20 listed instances would have disappeared within 24 hours, 20.0 %',
  );
  // Removes nothing. The first three losses are more than a day old, and this export counts the fourth.
  expect(await removeAndExport(4, 4, start + 27 * hour)).toBe(16);
  const { departed } = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Manifest;
  expect(departed).toEqual([{ domain: fleet[3], at: new Date(start + 27 * hour).toISOString() }]);
});

test('an instance that returns within the day does not count as lost, and a forced export resets the count', async () => {
  const { path, dir } = await publishFleet();
  const departed = () => (JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Manifest).departed;
  await visitAll(path, fleet.slice(0, 3), start + hour, otherVisit);
  await exportTo(path, dir, start + hour);
  expect(
    departed()
      ?.map(({ domain }) => domain)
      .toSorted(),
  ).toEqual(fleet.slice(0, 3).toSorted());
  await visitAll(path, fleet.slice(0, 3), start + 2 * hour);
  await exportTo(path, dir, start + 2 * hour);
  expect(departed()).toBeUndefined();
  await visitAll(path, fleet.slice(5, 15), start + 3 * hour, otherVisit);
  await exportTo(path, dir, start + 3 * hour, { force: true });
  expect(departed()).toBeUndefined();
  await visitAll(path, fleet.slice(15, 16), start + 4 * hour, otherVisit);
  await exportTo(path, dir, start + 4 * hour);
  expect(published(dir).listed).toBe(9);
});

test('disappeared instances are counted by name: new ones do not compensate for them', async () => {
  const { path, dir } = await publishFleet();
  await visitAll(path, fleet.slice(0, 10), start + hour, otherVisit);
  await visitAll(path, sampleDomains(30, 100), start + hour);
  expect(await guardMessage(exportTo(path, dir, start + hour))).toContain('10 of 20 listed instances would disappear');
  expect(published(dir).listed).toBe(20);
});

test('instances that redirect to a listed one have moved and do not count as lost', async () => {
  const { path, dir } = await publishFleet();
  const [target] = fleet.slice(19);
  const redirectTo = (aliasOf: Domain | undefined) => (domain: Domain, at: number) =>
    loopsVisit(domain, at, {
      ...{ verdict: 'alias', reason: 'redirected', via: null, software: null, version: null, facts: null },
      ...{ aliasOf: aliasOf ?? null },
    });
  await visitAll(path, fleet.slice(0, 10), start + hour, redirectTo(sampleDomains(1, 500)[0]));
  await guardMessage(exportTo(path, dir, start + hour));
  await visitAll(path, fleet.slice(0, 10), start + 2 * hour, redirectTo(target));
  await exportTo(path, dir, start + 2 * hour);
  expect(published(dir).listed).toBe(10);
});

test('instances that opted out do not count as lost', async () => {
  const { path, dir } = await publishFleet();
  {
    await using store = await openStore({ path });
    store.optOuts.forget(fleet.slice(0, 10), start + hour);
  }
  await exportTo(path, dir, start + hour);
  expect(published(dir).listed).toBe(10);
  expect(readFileSync(join(dir, 'manifest.json'), 'utf8')).not.toContain(fleet[0]);
});

test('the manifest drops lost instances that have since opted out or asked not to be listed', async () => {
  const { path, dir } = await publishFleet();
  await visitAll(path, fleet.slice(0, 2), start + hour, otherVisit);
  await exportTo(path, dir, start + hour);
  expect(readFileSync(join(dir, 'manifest.json'), 'utf8')).toContain(fleet[1]);
  {
    await using store = await openStore({ path });
    store.optOuts.forget(fleet.slice(0, 1), start + 2 * hour);
  }
  await visitAll(path, fleet.slice(1, 3), start + 2 * hour, (domain, at) => {
    const visit = otherVisit(domain, at);
    return { ...visit, host: { ...visit.host, noindex: true } };
  });
  await exportTo(path, dir, start + 2 * hour);
  expect(published(dir).listed).toBe(17);
  for (const domain of fleet.slice(0, 3))
    expect(readFileSync(join(dir, 'manifest.json'), 'utf8')).not.toContain(domain);
});

test('a database restored from an older copy does not replace newer files, even after further visits, unless forced', async () => {
  const { path, dir } = await publishFleet();
  const copy = scratchPath('copy.sqlite');
  await backUp(path, copy, { force: false });
  const more = sampleDomains(3, 100);
  await visitAll(path, more, start + day);
  await exportTo(path, dir, start + day);
  expect(published(dir).listed).toBe(23);
  expect(await guardMessage(exportTo(copy, dir, start + 2 * day))).toMatch(/the database is older than they are/);
  expect(published(dir).listed).toBe(23);
  await visitAll(copy, fleet.slice(0, 10), start + 2 * day);
  const refusal = await guardMessage(exportTo(copy, dir, start + 2 * day, { maxDropPercent: 100 }));
  expect(refusal).toContain(
    'is not the one that they were made from: its visit 23 was on 2026-01-03T00:00:00.000Z (its last visit was on 2026-01-03T00:00:00.000Z, the last visit in the files was on 2026-01-02T00:00:00.000Z)',
  );
  await exportTo(copy, dir, start + 2 * day, { force: true });
  expect(published(dir).listed).toBe(20);
  await visitAll(copy, fleet.slice(0, 3), start + 3 * day);
  await exportTo(copy, dir, start + 3 * day);
});

test('a database whose last published visit was purged still counts as the same database', async () => {
  const { path, dir } = await publishFleet();
  const [last] = sampleDomains(1, 100);
  if (last === undefined) throw new Error('unreachable');
  await visitAll(path, [last], start + hour);
  await exportTo(path, dir, start + hour);
  {
    await using store = await openStore({ path });
    store.optOuts.forget([last], start + 2 * hour);
  }
  await exportTo(path, dir, start + 2 * hour);
  await visitAll(path, fleet.slice(0, 1), start + 3 * hour);
  await exportTo(path, dir, start + 3 * hour);
  expect(published(dir).listed).toBe(20);
});

test('an empty database does not replace files unless forced', async () => {
  const { dir } = await publishFleet();
  const empty = scratchPath();
  await (await openStore({ path: empty }))[Symbol.asyncDispose]();
  expect(await guardMessage(exportTo(empty, dir, start + day))).toContain('it has no visit');
  expect(published(dir).listed).toBe(20);
  await exportTo(empty, dir, start + day, { force: true });
  expect(published(dir).listed).toBe(0);
});

test('an old database does not replace files whose manifest lacks the last visit', async () => {
  const { path, dir } = await publishFleet();
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  const writeManifest = (generatedAt: number) => {
    const { lastVisit: _, ...rest } = { ...manifest, generatedAt: new Date(generatedAt).toISOString() };
    writeFileSync(join(dir, 'manifest.json'), JSON.stringify(rest));
  };
  writeManifest(start + 3 * day);
  expect(await guardMessage(exportTo(path, dir, start + 4 * day))).toMatch(/older than they are/);
  writeManifest(start + day);
  await exportTo(path, dir, start + 4 * day);
});

test('after an offline period nothing is published until a visit succeeds', async () => {
  const { path, dir } = await publishFleet();
  {
    await using store = await openStore({ path });
    store.crawler.recordOffline(start + hour);
  }
  const before = readFileSync(join(dir, 'manifest.json'));
  expect(await guardMessage(exportTo(path, dir, start + day))).toContain(
    'the crawler was offline at 2026-01-01T01:00:00.000Z',
  );
  await visitAll(path, fleet.slice(0, 1), start + day, unreachableVisit);
  await visitAll(path, fleet.slice(1, 2), start + day, (domain, at) => ({
    ...unreachableVisit(domain, at),
    ...{ verdict: 'declined', reason: 'forbidden-address' },
  }));
  expect(await guardMessage(exportTo(path, dir, start + day))).toContain('no visit has succeeded since');
  expect(readFileSync(join(dir, 'manifest.json'))).toEqual(before);
  await visitAll(path, fleet.slice(2, 3), start + day);
  await exportTo(path, dir, start + day);
  expect(published(dir).listed).toBe(20);
});

test('with a missing or damaged manifest, the listed instances are counted from instances.json or else domains.txt', async () => {
  const { path, dir } = await publishFleet();
  await letDie(path, fleet.slice(0, 10));
  writeFileSync(join(dir, 'manifest.json'), '{');
  expect(await guardMessage(exportTo(path, dir, start + 17 * day))).toContain('10 of 20');
  rmSync(join(dir, 'manifest.json'));
  expect(await guardMessage(exportTo(path, dir, start + 17 * day))).toContain('10 of 20');
  rmSync(join(dir, 'instances.json'));
  expect(await guardMessage(exportTo(path, dir, start + 17 * day))).toContain('10 of 20');
  rmSync(join(dir, 'domains.txt'));
  mkdirSync(join(dir, 'unrelated'));
  await exportTo(path, dir, start + 17 * day);
  expect(published(dir).listed).toBe(10);
});
