import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { App } from '../../src/app.ts';
import type { Settings } from '../../src/settings.schema.ts';
import { meddle } from '../simulation/meddle.ts';
import { exportThen, rebuild } from '../simulation/past-exports.ts';
import { DAY, simulateYear } from '../simulation/simulate-year.ts';

test('every file as of 20 past times of a simulated year is, byte for byte, the one really exported then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-past-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const folders: string[] = [];
  let settings: Settings | null = null;
  let end = 0;
  const onDay = async (at: number, day: number, app: App) => {
    settings = app.settings;
    end = at;
    if (day % 4 === 0) meddle(app, at, day);
    if (day % 18 !== 8) return;
    const dir = join(folder, `then-${day}`);
    await exportThen(app, at, dir);
    folders.push(dir);
  };
  using _year = await simulateYear({ hosts: 500, seed: 7, exportEveryDays: 0, onDay });
  expect(folders).toHaveLength(20);
  if (settings === null) throw new Error('a year has days');
  for (const then of folders) {
    const { files, differences } = await rebuild(settings, { then, dir: `${then}-again`, now: end + DAY });
    expect(files, then).toBeGreaterThan(20);
    expect(differences, then).toEqual([]);
  }
});
