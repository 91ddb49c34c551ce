import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../../src/app/app.ts';
import { exportAsOf } from '../../src/service/export-as-of.ts';
import { runInline } from '../../src/service/tasks/tasks.ts';
import type { Settings } from '../../src/settings/schema.ts';

/** Takes an export of the moment into a folder of its own. */
export async function exportThen(app: App, at: number, dir: string): Promise<void> {
  const { database, contact, flags, retention } = app.settings;
  mkdirSync(dir, { recursive: true });
  const { crowdedFrom, staleDays } = flags;
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
    },
    new AbortController().signal,
  );
}

/** Rebuilds it into another folder; answers which files are not the same, byte for byte, and how many were compared. */
export async function rebuild(
  settings: Settings,
  { then, dir, now }: { then: string; dir: string; now: number },
): Promise<{ files: number; differences: string[] }> {
  const { generatedAt } = JSON.parse(readFileSync(join(then, 'manifest.json'), 'utf8')) as { generatedAt: string };
  await exportAsOf(settings, { at: Date.parse(generatedAt), dir, now: () => now });
  const [taken, rebuilt] = [hashesOf(then), hashesOf(dir)];
  const names = new Set([...taken.keys(), ...rebuilt.keys()]);
  return { files: names.size, differences: [...names].filter((name) => taken.get(name) !== rebuilt.get(name)) };
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
