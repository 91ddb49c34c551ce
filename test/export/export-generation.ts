import { exportAll } from '../../src/export/export-all.ts';
import { createOptOutSet } from '../../src/model/opt-outs/opt-out-names.ts';
import { generatedSource } from './generated-source.ts';
import { sourceOf } from './row-of.ts';

const DOMAINS = 150;
const INSTANCES = 40;
const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);

export const dayOfGeneration = (generation: number) => new Date(START + generation * DAY).toISOString().slice(0, 10);

/** Generations for which a request not to be published lasts: longer than kills in a row may prevent its effect. */
const LASTING = 10;

/** The instances of a generation that must not be published at some time from one generation to another: each makes one such request. */
function withheldNames(first: number, last: number): ReadonlySet<string> {
  const all = [...generatedSource(DOMAINS, INSTANCES, first).instances.listed(START)];
  const numbers = Array.from({ length: last - first + LASTING }, (_, index) => first - LASTING + 1 + index);
  return new Set(numbers.map((number) => all[(number + LASTING) % INSTANCES]?.domain ?? ''));
}

/** Exports the generated rows on the day of the generation. */
export async function exportGeneration(dir: string, generation: number): Promise<void> {
  const source = generatedSource(DOMAINS, INSTANCES, generation);
  const withheld = withheldNames(generation, generation);
  await exportAll({
    source: sourceOf(
      {
        instances: { listed: (at) => [...source.instances.listed(at)].filter(({ domain }) => !withheld.has(domain)) },
        optOuts: {
          has: createOptOutSet(withheld).has,
          lastRequest: () => ({ optOuts: generation, changes: 0 }),
          hasRequestSince: ({ optOuts }) => generation > optOuts,
        },
      },
      source,
    ),
    dir,
    now: () => START + generation * DAY,
    toolVersion: '1.0.0',
  });
}

/** The domains in the dated file of a generation, as the export of another one wrote it last. */
export function domainsAfter(generation: number, lastWritten: number): string[] {
  const withheld = withheldNames(generation, lastWritten);
  const all = [...generatedSource(DOMAINS, INSTANCES, generation).instances.listed(START)];
  return all.map(({ domain }) => domain as string).filter((domain) => !withheld.has(domain));
}
