import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Settings } from '../../src/settings/schema.ts';
import { createDraw } from '../simulation/draw.ts';
import { mutateDomains } from '../simulation/mutate-domains.ts';
import { exportNow, rebuild } from '../simulation/past-exports.ts';
import { DAY, simulateYear } from '../simulation/simulate-year.ts';

const HOSTS = 20;
const TIMES = 200;
/** The simulator makes a pass every ten minutes. */
const PASSES_A_DAY = 144;

test('every export as of 200 random times of a simulated year is byte-identical to the original', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-past-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const draw = createDraw(11);
  const exportPasses = new Set<number>();
  // 360 days, because the crawler is down for three days of the year and makes no passes then.
  while (exportPasses.size < TIMES) exportPasses.add(1 + Math.floor(draw() * 360 * PASSES_A_DAY));
  const originals: string[] = [];
  let settings: Settings | null = null;
  let [passesMade, endOfLastDay] = [0, 0];
  using _year = await simulateYear({
    hosts: HOSTS,
    seed: 7,
    exportEveryDays: 0,
    onDay: (at, day, app) => {
      settings = app.settings;
      endOfLastDay = at;
      if (day % 4 === 0) mutateDomains(app, at, day);
    },
    onPass: async (at, app) => {
      if (!exportPasses.has(passesMade++)) return;
      const dir = join(folder, `then-${originals.length}`);
      await exportNow(app, at, dir);
      originals.push(dir);
    },
  });
  expect(originals).toHaveLength(TIMES);
  if (settings === null) throw new Error('no day was simulated');
  for (const original of originals) {
    const rebuilt = `${original}-again`;
    const { files, differences } = await rebuild(settings, { original, dir: rebuilt, now: endOfLastDay + DAY });
    expect(files, original).toBeGreaterThan(20);
    expect(differences, original).toEqual([]);
    for (const dir of [original, rebuilt]) rmSync(dir, { recursive: true });
  }
}, 2_400_000);
