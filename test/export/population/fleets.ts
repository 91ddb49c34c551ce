import { createDraw } from '../../simulation/draw.ts';

type Draw = () => number;

/** How a fleet of known size is listed by several sources. */
export interface Fleet {
  readonly name: string;
  /** How many instances there are in truth. */
  readonly size: number;
  /** Which sources list each instance; the empty list for those that nobody lists. */
  readonly listings: (draw: Draw) => number[][];
}

/** Each source lists each instance with a chance of its own, whatever the others do. */
const independent = (name: string, size: number, chances: readonly number[]): Fleet => ({
  name,
  size,
  listings: (draw) => each(size, () => chances.flatMap((chance, source) => (draw() < chance ? [source] : []))),
});

/** Sources of one chance each; some instances are likelier than others to be on all lists, as well-known ones are. */
const overlapping = (name: string, size: number, chances: readonly number[], spread: number): Fleet => ({
  name,
  size,
  listings: (draw) =>
    each(size, () => {
      const fame = Math.exp(spread * normal(draw));
      return chances.flatMap((chance, source) => {
        const odds = (fame * chance) / (1 - chance);
        return draw() < odds / (1 + odds) ? [source] : [];
      });
    }),
});

/** The last source copies a part of the first, and lists as many others of its own as a chance says; the rest are independent. */
const copied = (name: string, size: number, chances: readonly number[], kept: number, own = 0): Fleet => ({
  name,
  size,
  listings: (draw) =>
    each(size, () => {
      const listing = chances.flatMap((chance, source) => (draw() < chance ? [source] : []));
      const isCopied = listing.includes(0) && draw() < kept;
      return isCopied || draw() < own ? [...listing, chances.length] : listing;
    }),
});

/** Two languages; each source lists instances of one of them mostly. */
const sharedOut = (name: string, size: number, often: number, seldom: number): Fleet => ({
  name,
  size,
  listings: (draw) =>
    each(size, () => {
      const language = draw() < 0.5 ? 0 : 1;
      return [0, 1, 2, 3].flatMap((source) => (draw() < (source % 2 === language ? often : seldom) ? [source] : []));
    }),
});

/** Every assumption holds: the interval has to hold the truth as often as it says. */
export const independentFleets: readonly Fleet[] = [
  independent('4 equal sources', 400, [0.3, 0.3, 0.3, 0.3]),
  independent('4 unequal sources', 400, [0.8, 0.3, 0.1, 0.05]),
  independent('2 sources', 400, [0.5, 0.4]),
  independent('2 unequal sources', 400, [0.9, 0.1]),
  independent(
    '10 small sources',
    400,
    Array.from({ length: 10 }, () => 0.08),
  ),
  independent('4 large sources', 400, [0.8, 0.7, 0.75, 0.7]),
  independent('12 instances', 12, [0.5, 0.6, 0.4]),
  independent('5,000 instances', 5_000, [0.4, 0.2, 0.1]),
];

/** Some instances are well known: the estimate is a lower bound. */
export const overlappingFleets: readonly Fleet[] = [
  overlapping('fame counts a little', 400, [0.4, 0.3, 0.2, 0.2], 0.4),
  overlapping('fame counts much', 400, [0.4, 0.3, 0.2, 0.2], 1.2),
];

/** Few instances, of which each is on most lists. */
export const tinyFleets: readonly Fleet[] = [
  independent('7 instances', 7, [0.9, 0.8, 0.7]),
  independent('12 instances on most lists', 12, [0.9, 0.9, 0.9]),
  independent('20 instances', 20, [0.95, 0.9, 0.8]),
  independent('20 instances on half of the lists', 20, [0.5, 0.5, 0.5]),
];

/** Sources that know nearly all there is agree as copies do. */
export const completeFleets: readonly Fleet[] = [
  independent('3 nearly complete', 400, [0.95, 0.95, 0.95]),
  independent('one nearly complete, 2 small', 400, [0.95, 0.05, 0.05]),
];

/** Hardly any instance is on two lists. */
export const sparseFleets: readonly Fleet[] = [
  independent('a tenth each', 100, [0.1, 0.1]),
  independent('a fifth each', 100, [0.2, 0.2]),
  independent('a fiftieth each', 1_000, [0.02, 0.02, 0.02]),
  independent('a twentieth each', 1_000, [0.05, 0.05, 0.05]),
  independent('few instances', 30, [0.3, 0.3]),
];

/** A source is a copy of another, nearly or in part, and lists nothing else: it counts as one with it. */
export const copyingFleets: readonly Fleet[] = [
  copied('one copies another in full', 400, [0.4, 0.3], 1),
  copied('one copies most of another', 400, [0.4, 0.3, 0.2], 0.95),
  copied('one copies half of another', 400, [0.5, 0.4, 0.3], 0.5),
  copied('60 instances, in full', 60, [0.5, 0.4, 0.3], 1),
  copied('60 instances, most', 60, [0.5, 0.4, 0.3], 0.95),
  copied('60 instances, half', 60, [0.5, 0.4, 0.3], 0.5),
];

/** The same where too little is there to tell: it is warned of more often, or the interval is wide. */
export const vagueFleets: readonly Fleet[] = [
  copied('20 instances, in full', 20, [0.5, 0.4, 0.3], 1),
  copied('60 instances, half, one other', 60, [0.5, 0.3], 0.5),
];

/** A source copies a part of another and lists as many of its own: neither a copy nor independent. */
export const mixedFleets: readonly Fleet[] = [
  copied('half copied', 400, [0.5, 0.4, 0.3], 0.5, 0.3),
  copied('half copied, one other', 400, [0.5, 0.3], 0.5, 0.3),
];

/** Sources share the instances out: the estimate is too high. */
export const sharingFleets: readonly Fleet[] = [sharedOut('two languages', 400, 0.5, 0.05)];

/** The same draw of a fleet for the same seed: what the sources list, nobody's left out. */
export function drawListings(fleet: Fleet, seed: number): number[][] {
  return fleet.listings(createDraw(seed)).filter((sources) => sources.length > 0);
}

function each<Value>(size: number, make: () => Value): Value[] {
  return Array.from({ length: size }, make);
}

/** Box and Muller. */
function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
}
