import type { CaptureTally } from './capture-tally.ts';
import type { Overlap } from './chance-of-overlap.ts';

/** What two sources have in common. */
export interface SourcePair {
  readonly one: number;
  readonly other: number;
  /** Over all that either of them lists; `neither` is 0. */
  readonly listed: Overlap;
  /** Over all that any third source lists: there what neither has can be seen, too. */
  readonly amongOthers: Overlap;
}

/** All pairs of the sources of a tally. */
export function pairsOfSources(tally: CaptureTally): SourcePair[] {
  const ids = tally.sources();
  /** For each source: all it lists, what it alone lists, and what it shares with each later one, in all and without a third. */
  const of = new Map(
    ids.map((id) => [id, { all: 0, alone: 0, shared: new Map<number, number>(), only: new Map<number, number>() }]),
  );
  let captured = 0;
  for (const { sources, members } of tally.combinations()) {
    if (sources.length > 0) captured += members;
    for (const [index, id] of sources.entries()) {
      const source = of.get(id);
      if (source === undefined) continue;
      source.all += members;
      if (sources.length === 1) source.alone += members;
      for (const other of sources.slice(index + 1)) {
        source.shared.set(other, (source.shared.get(other) ?? 0) + members);
        if (sources.length === 2) source.only.set(other, members);
      }
    }
  }
  const pairs: SourcePair[] = [];
  for (const [index, one] of [...of].entries()) {
    for (const other of [...of].slice(index + 1)) pairs.push(pairOf(one, other, captured));
  }
  return pairs;
}

type Counted = { all: number; alone: number; shared: Map<number, number>; only: Map<number, number> };

function pairOf([one, first]: [number, Counted], [other, second]: [number, Counted], captured: number): SourcePair {
  const both = first.shared.get(other) ?? 0;
  const only = first.only.get(other) ?? 0;
  const oneOnly = first.all - both - first.alone;
  const otherOnly = second.all - both - second.alone;
  const others = captured - first.alone - second.alone - only;
  return {
    one,
    other,
    listed: { both, one: first.all - both, other: second.all - both, neither: 0 },
    amongOthers: {
      both: both - only,
      one: oneOnly,
      other: otherOnly,
      neither: others - (both - only) - oneOnly - otherOnly,
    },
  };
}
