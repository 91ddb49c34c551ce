import { describe, expect, it } from 'vitest';
import { contentOf } from '../bench/content-of.ts';
import { createImportBench } from '../bench/import-bench.ts';
import { LIST_FORMATS } from '../bench/import-list.ts';

const candidates = 200_000;
/**
 * SQLite's cache, the known domains and garbage: 30 to 38 MB on a quiet machine, up to 52 MB on a busy one, where garbage is
 * collected later.
 */
const maxGrowthMB = 75;

describe.each(LIST_FORMATS)('a list of 200,000 candidates, %s', (format) => {
  it('is imported in bounded memory, and a second import changes nothing', async () => {
    await using bench = await createImportBench(candidates, format);
    await bench.baseline();
    const baseline = await bench.baseline();
    const first = await bench.importOnce();
    const [report] = first.reports;
    expect(report).toMatchObject({ outcome: 'complete', accepted: 196_000, entered: 196_000, merged: 2_000 });
    expect(report?.refusedByReason).toMatchObject({
      'ip-literal': expect.any(Number),
      'bad-label': expect.any(Number),
    });
    expect(first.peakRssMB - baseline.peakRssMB).toBeLessThan(maxGrowthMB);

    const before = contentOf(bench.database, 1);
    const second = await bench.importOnce();
    expect(second.reports).toMatchObject([{ outcome: 'unchanged', lines: 0, entered: 0 }]);
    expect(contentOf(bench.database, 1)).toEqual(before);
    if (format !== 'web') return;
    expect(second.requests).toMatchObject([
      { url: '/robots.txt' },
      { url: '/servers.json', isConditional: true, status: 304 },
    ]);

    bench.ignoreConditions();
    const third = await bench.importOnce();
    expect(third.reports).toMatchObject([{ outcome: 'complete', entered: 0, known: 196_000, merged: 2_000 }]);
    expect(third.requests.at(-1)).toMatchObject({ isConditional: true, status: 200 });
    expect(contentOf(bench.database, 1)).toEqual(before);
  });
});
