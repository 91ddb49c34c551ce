import type { CaptureTally } from './capture-tally.ts';
import { chanceOfOverlap, type Overlap } from './chance-of-overlap.ts';
import { pairsOfSources, type SourcePair } from './pairs-of-sources.ts';

/** A near copy has at least this part of itself in common with the other; of two that are alike, so has what either lists. */
const COPIED = 0.9;
/** What chance brings about more seldom is taken for evidence. */
const RARE = 0.05;

/** Which sources are taken for copies. */
export interface NearCopies {
  /** The tally with each source and its near copies taken as one. */
  readonly apart: CaptureTally;
  /** The same with those taken as one, too, that may be copies, of which the others list too few to tell; null when there are none. */
  readonly wellApart: CaptureTally | null;
  /** Whether all sources list nearly the same, as copies would, or sources that know nearly all there is, and which it is cannot be told. */
  readonly areAllAlike: boolean;
}

/**
 * Finds sources that list hardly anything which another does not list. That alone is no evidence: whatever a source knows nearly all of,
 * it shares with one that does too. So it is looked at what third sources list: there copies have and lack the same, while of
 * independent sources what one lacks is no likelier to be lacking from the other (Fisher's exact test).
 */
export function nearCopies(tally: CaptureTally): NearCopies {
  const pairs = pairsOfSources(tally);
  const nested = pairs.filter(
    ({ listed: { both, one, other } }) => both > 0 && both >= COPIED * (both + Math.min(one, other)),
  );
  const evident = nested.filter(({ amongOthers }) => chanceOfOverlap(amongOthers).atLeast < RARE);
  const alike = pairs.filter(
    ({ listed: { both, one, other }, amongOthers }) => both >= COPIED * (both + one + other) && !canBeTold(amongOthers),
  );
  const sources = tally.sources();
  return {
    apart: evident.length === 0 ? tally : tally.mapped(asOne(evident)),
    wellApart: nested.length === evident.length ? null : tally.mapped(asOne(nested)),
    areAllAlike: sources.length > 1 && new Set(sources.map(asOne(alike))).size === 1,
  };
}

/**
 * Whether two sources agree more, or less, than chance would have it on what third ones list. Of independent sources that is found once in
 * twenty times, over all pairs together.
 */
export function isAnyDependent(tally: CaptureTally): boolean {
  const pairs = pairsOfSources(tally);
  return pairs.some(({ amongOthers }) => {
    const { atLeast, atMost } = chanceOfOverlap(amongOthers);
    return 2 * Math.min(atLeast, atMost) * pairs.length < RARE;
  });
}

/** Whether it would be seen if one were a copy of the other. */
function canBeTold({ both, one, other, neither }: Overlap): boolean {
  const lesser = Math.min(one, other);
  const agreeing = { both: both + lesser, one: one - lesser, other: other - lesser, neither: neither + lesser };
  return chanceOfOverlap(agreeing).atLeast < RARE;
}

/** Each source becomes the first of those that it is tied to, over however many pairs. */
function asOne(pairs: readonly SourcePair[]): (source: number) => number {
  const firsts = new Map<number, number>();
  const firstOf = (source: number): number => {
    const before = firsts.get(source);
    return before === undefined ? source : firstOf(before);
  };
  for (const { one, other } of pairs) {
    const [first, second] = [firstOf(one), firstOf(other)];
    if (first !== second) firsts.set(Math.max(first, second), Math.min(first, second));
  }
  return firstOf;
}
