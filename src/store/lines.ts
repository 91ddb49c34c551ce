import type { Line } from './store-reader.ts';

/** All lines, the heaviest first. */
export const lines = ['live', 'hinted', 'new', 'known', 'dead'] as const satisfies readonly Line[];

/** Something made for each line. */
export function createByLine<Made>(make: (line: Line) => Made): Readonly<Record<Line, Made>> {
  return {
    live: make('live'),
    hinted: make('hinted'),
    new: make('new'),
    known: make('known'),
    dead: make('dead'),
  };
}
