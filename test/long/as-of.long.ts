import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../src/settings/schema.ts';
import { createDraw } from '../simulation/draw.ts';
import { meddle } from '../simulation/meddle.ts';
import { exportThen, rebuild } from '../simulation/past-exports.ts';
import { DAY, simulateYear } from '../simulation/simulate-year.ts';

const HOSTS = 80;
const MOMENTS = 200;
const PASSES_A_DAY = 144;

test('every file as of 200 random times of a simulated year is, byte for byte, the one really exported then', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-past-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const draw = createDraw(11);
  const chosen = new Set<number>();
  // Three days of the year pass without a crawl.
  while (chosen.size < MOMENTS) chosen.add(1 + Math.floor(draw() * 360 * PASSES_A_DAY));
  const folders: string[] = [];
  let settings: Settings | null = null;
  let [passes, end] = [0, 0];
  using _year = await simulateYear({
    hosts: HOSTS,
    seed: 7,
    exportEveryDays: 0,
    onDay: (at, day, app) => {
      settings = app.settings;
      end = at;
      if (day % 4 === 0) meddle(app, at, day);
    },
    onPass: async (at, app) => {
      if (!chosen.has(passes++)) return;
      const dir = join(folder, `then-${folders.length}`);
      await exportThen(app, at, dir);
      folders.push(dir);
    },
  });
  expect(folders).toHaveLength(MOMENTS);
  if (settings === null) throw new Error('a year has days');
  for (const then of folders) {
    const again = `${then}-again`;
    const { files, differences } = await rebuild(settings, { then, dir: again, now: end + DAY });
    expect(files, then).toBeGreaterThan(20);
    expect(differences, then).toEqual([]);
    for (const dir of [then, again]) rmSync(dir, { recursive: true });
  }
}, 2_400_000);
