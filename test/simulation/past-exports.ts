import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../src/app/app.ts';
import { exportAsOf } from '../../src/service/export-as-of.ts';
import { runInline } from '../../src/service/tasks/tasks.ts';
import type { Settings } from '../../src/settings/schema.ts';

/** Writes an export of the current data, dated `at`, into `dir`. */
export async function exportNow(app: App, at: number, dir: string): Promise<void> {
  const { database, contact, flags, retention } = app.settings;
  const { crowdedFrom, staleDays } = flags;
  mkdirSync(dir, { recursive: true });
  await runInline(
    'export',
    {
      database,
      dir,
      at,
      contact,
      flags: { crowdedFrom, staleDays },
      visitsDays: retention.visitsDays,
      months: 'all',
      maxDropPercent: 100,
      force: true,
      site: null,
    },
    new AbortController().signal,
  );
}

/** Rebuilds the export in `original` into `dir`. Returns the number of files, and the names of those that differ or exist only once. */
export async function rebuild(
  settings: Settings,
  { original, dir, now }: { original: string; dir: string; now: number },
): Promise<{ files: number; differences: string[] }> {
  const { generatedAt } = JSON.parse(readFileSync(join(original, 'manifest.json'), 'utf8')) as { generatedAt: string };
  await exportAsOf(settings, { at: Date.parse(generatedAt), dir, now: () => now });
  const [originalHashes, rebuiltHashes] = [hashesOf(original), hashesOf(dir)];
  const names = new Set([...originalHashes.keys(), ...rebuiltHashes.keys()]);
  return {
    files: names.size,
    differences: [...names].filter((name) => originalHashes.get(name) !== rebuiltHashes.get(name)),
  };
}

function hashesOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}
