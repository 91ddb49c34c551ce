import { describe, expect, it } from 'vitest';
import { contentOf } from '../bench/content-of.ts';
import { createImportBench } from '../bench/import-bench.ts';
import { LIST_FORMATS } from '../bench/import-list.ts';

/**
 * SQLite's cache, the known domains and garbage: 30 to 38 MB on a quiet machine, up to 52 MB on a busy one, where garbage is
 * collected later.
 */
const maxGrowthMB = 75;

/** Only one format is imported at full size, because all formats share the code behind the parser. */
const SIZES = LIST_FORMATS.map((format) => ({ format, candidates: format === 'web' ? 100_000 : 4_000 }));

describe.each(SIZES)('a list of $candidates candidates, $format', ({ format, candidates }) => {
  // Of 100 candidates, one is another spelling of an accepted one, and one is invalid.
  const accepted = candidates * 0.98;
  const merged = candidates * 0.01;

  it('is imported in bounded memory, and a second import changes nothing', async () => {
    await using bench = await createImportBench(candidates, format);
    await bench.baseline();
    const baseline = await bench.baseline();
    const first = await bench.importOnce();
    const [report] = first.reports;
    expect(report).toMatchObject({ outcome: 'complete', accepted, entered: accepted, merged });
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
    expect(third.reports).toMatchObject([{ outcome: 'complete', entered: 0, known: accepted, merged }]);
    expect(third.requests.at(-1)).toMatchObject({ isConditional: true, status: 200 });
    expect(contentOf(bench.database, 1)).toEqual(before);
  });
});
