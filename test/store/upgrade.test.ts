import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { openReader } from '../../src/store/open-reader.ts';
import { openStore } from '../../src/store/open-store.ts';
import { nameOf, START, visitOnce } from '../api/fill-store.ts';
import { hour, loopsVisit } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const folder = join(import.meta.dirname, 'releases');
const releases = readdirSync(folder).filter((name) => name.endsWith('.sqlite.gz'));

const schemaOf = (path: string) =>
  withSqlite(path, (sqlite) =>
    sqlite.prepare('select type, name, sql from sqlite_schema where sql is not null order by type, name').all(),
  );

describe.each(releases)('a database of %s', (name) => {
  const at = START + 24 * hour;

  async function upgrade(): Promise<{ path: string; store: Awaited<ReturnType<typeof openStore>> }> {
    const path = scratchPath();
    writeFileSync(path, gunzipSync(readFileSync(join(folder, name))));
    return { path, store: await openStore({ path, now: () => at }) };
  }

  test('has the schema of a new database after its upgrade; otherwise a released migration was edited', async () => {
    const { path, store } = await upgrade();
    await using _store = store;
    const fresh = scratchPath();
    await using _fresh = await openStore({ path: fresh });
    expect(schemaOf(path)).toEqual(schemaOf(fresh));
    withSqlite(path, (sqlite) => {
      expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(sqlite.pragma('foreign_key_check')).toEqual([]);
    });
  });

  test('keeps its instances and opt-outs, and records new visits', async () => {
    const { path, store } = await upgrade();
    await using _store = store;
    visitOnce(store, nameOf(1), at, loopsVisit(nameOf(1), at));
    expect(store.enter([nameOf(3), storedDomain('opted-out.example')], at)).toBe(0);
    using reader = openReader(path);
    const listed = [...reader.instances(at)].map(({ domain }) => domain);
    expect(listed).toHaveLength(19);
    expect(listed).not.toContain(nameOf(3));
    expect(reader.find(nameOf(1))?.lastVisit).toBe(at);
  });
});
