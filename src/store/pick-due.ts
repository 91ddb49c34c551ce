import type { Compiler } from './compiler.ts';
import { selectSomeDue, selectTurns } from './due-domains.ts';
import { createByLine, lines } from './lines.ts';
import { type Placeholder, prepare } from './prepare.ts';
import { queueOf } from './queue-of.ts';
import { createShareOut, type Waiting } from './share-out.ts';
import type { Sqlite } from './sqlite.ts';
import type { Line } from './store-reader.ts';
import { turnWeights } from './turn-weights.ts';

/** Of what is leased while all lines wait, live instances get most. */
const weights: Readonly<Record<Line, number>> = { live: 8, hinted: 4, new: 4, known: 3, dead: 1 };

/** Picks the ids of at most `limit` domains that are due at `at` and free, in the order in which they are to be visited. */
export type Picker = (limit: number, at: number) => number[];

/** A line is shared out among its turns as the lines are among each other. Of each turn little more is read than is taken. */
export function createPicker(sqlite: Sqlite, db: Compiler): Picker {
  const inLine = createByLine((line) => createLinePicker(sqlite, db, line));
  const share = createShareOut<Line>();
  return (limit, at) => {
    const due = share(lines.map((line) => ({ key: line, weight: weights[line], waiting: inLine[line](limit, at) })));
    const ids: number[] = [];
    while (ids.length < limit && due.has()) ids.push(due.take());
    return ids;
  };
}

/** Who waits in a line, turn by turn. */
function createLinePicker(sqlite: Sqlite, db: Compiler, line: Line): (limit: number, at: number) => Waiting<number> {
  const turns = prepare(sqlite, (_value: Placeholder<Record<never, never>>) => selectTurns(db, line));
  const some = prepare(sqlite, (value: Placeholder<{ turn: number; at: number; limit: number; offset: number }>) =>
    selectSomeDue(db, line, value),
  );
  const yields =
    line === 'hinted' || line === 'new'
      ? prepare(sqlite, (_value: Placeholder<Record<never, never>>) =>
          db.selectFrom('turn_yields').select(['turn', 'visited', 'loops']).where('line', '=', line),
        )
      : null;

  function* inTurn(turn: number, at: number, first: number): Generator<number> {
    for (let offset = 0, limit = first; ; offset += limit, limit *= 2) {
      const rows = some.all({ turn, at, limit, offset });
      for (const { id } of rows) yield id;
      if (rows.length < limit) return;
    }
  }

  const share = createShareOut<number>();
  return (limit, at) => {
    let due: Waiting<number> | null = null;
    const begun = (): Waiting<number> => {
      if (due !== null) return due;
      const waiting = turns.all({}).map(({ turn }) => turn);
      // There may be hundreds of turns: all begin with about as many rows together as a line with one turn.
      const first = 1 + Math.ceil(limit / waiting.length);
      const weightOf = turnWeights(waiting, waiting.length > 1 ? (yields?.all({}) ?? []) : []);
      due = share(
        waiting.map((turn) => ({
          key: turn,
          weight: weightOf.get(turn) ?? 1,
          waiting: queueOf(inTurn(turn, at, first)),
        })),
      );
      return due;
    };
    return { has: () => begun().has(), take: () => begun().take() };
  };
}
