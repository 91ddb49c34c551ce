import type { Compiler } from './compiler.ts';
import { selectBacklog, selectTurns } from './due-domains.ts';
import { createByLine } from './lines.ts';
import { type Placeholder, prepare } from './prepare.ts';
import type { Sqlite } from './sqlite.ts';
import type { Backlog, Line, StoreReader } from './store-reader.ts';

/** More domains than there are. */
const ALL = 2 ** 52;

/** Counts what is due at a time and free, by line, turn by turn. */
export function createBacklog(sqlite: Sqlite, db: Compiler): StoreReader['backlog'] {
  const countIn = (line: Line) => {
    const turns = prepare(sqlite, (_value: Placeholder<Record<never, never>>) => selectTurns(db, line));
    const count = prepare(sqlite, (value: Placeholder<{ turn: number; at: number; most: number }>) =>
      selectBacklog(db, line, value),
    );
    return (at: number, most: number) =>
      turns.all({}).map(({ turn }) => count.get({ turn, at, most }) ?? { due: 0, oldest: null });
  };
  const counts = createByLine(countIn);
  return (at, most = ALL): Backlog => {
    const of = (line: Line) => counts[line](at, most);
    return {
      live: together(of('live'), most),
      new: together([...of('hinted'), ...of('new')], most),
      known: together(of('known'), most),
      dead: together(of('dead'), most),
    };
  };
}

function together(counted: readonly Backlog['new'][], most: number): Backlog['new'] {
  const oldest = counted.flatMap((count) => count.oldest ?? []);
  return {
    due: Math.min(
      most,
      counted.reduce((total, { due }) => total + due, 0),
    ),
    oldest: oldest.length === 0 ? null : Math.min(...oldest),
  };
}
