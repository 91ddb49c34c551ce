/**
 * `node test/store/releases/write-fixture.ts`: writes a database of the current version to this folder. Run it once for each release
 * with a new migration; the databases of earlier releases stay as they are.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import SqliteDatabase from 'better-sqlite3';
import { storedDomain } from '../../../src/model/domain/domain.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { VERSION } from '../../../src/version.ts';
import { fillStore, nameOf, START } from '../../api/fill-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'loopscout-store-'));
const path = join(folder, 'store.sqlite');
{
  await using store = await openStore({ path, now: () => START });
  fillStore(store, 20);
  store.forget([storedDomain('opted-out.example'), nameOf(3)], START);
}
const sqlite = new SqliteDatabase(path);
sqlite.exec('vacuum');
sqlite.pragma('journal_mode = delete');
sqlite.close();
writeFileSync(join(import.meta.dirname, `${VERSION}.sqlite.gz`), gzipSync(readFileSync(path), { level: 9 }));
rmSync(folder, { recursive: true });
