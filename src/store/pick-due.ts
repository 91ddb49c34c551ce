import type { Compiler } from './compiler.ts';
import { selectSomeDue, selectTurns } from './due-domains.ts';
import { hintedWeight, NEW_WEIGHT } from './hinted-weight.ts';
import { createByLine } from './lines.ts';
import { type Placeholder, prepare } from './prepare.ts';
import { queueOf } from './queue-of.ts';
import { createShareOut, type Waiting } from './share-out.ts';
import type { Sqlite } from './sqlite.ts';
import type { Line } from './store-reader.ts';
import { turnWeights } from './turn-weights.ts';

/** Of what is leased while all lines wait, live instances get most. */
const weights = { live: 8, known: 3, dead: 1 } as const;

/** Picks the ids of at most `limit` domains that are due at `at` and free, in the order in which they are to be visited. */
export type Picker = (limit: number, at: number) => number[];

/** A line is shared out among its turns as the lines are among each other. Of each turn little more is read than is taken. */
export function createPicker(sqlite: Sqlite, db: Compiler): Picker {
  const inLine = createByLine((line) => createLinePicker(sqlite, db, line));
  const share = createShareOut<keyof typeof weights | 'first'>();
  const shareFirst = createShareOut<'hinted' | 'new'>();
  return (limit, at) => {
    const of = (line: Line) => inLine[line](limit, at);
    const sharer = (key: keyof typeof weights) => ({ key, weight: weights[key], waiting: of(key) });
    const [hinted, others] = [of('hinted'), of('new')];
    // Hints go before other new domains at the cost of these alone: together both have what each of them would have without.
    const first = {
      key: 'first' as const,
      get weight() {
        return hinted.has() && others.has() ? 2 * NEW_WEIGHT : NEW_WEIGHT;
      },
      waiting: shareFirst([
        {
          key: 'hinted',
          get weight() {
            return hinted.hintedWeight();
          },
          waiting: hinted,
        },
        { key: 'new', weight: NEW_WEIGHT, waiting: others },
      ]),
    };
    const due = share([sharer('live'), first, sharer('known'), sharer('dead')]);
    const ids: number[] = [];
    while (ids.length < limit && due.has()) ids.push(due.take());
    return ids;
  };
}

interface LineWaiting extends Waiting<number> {
  /** What the line weighs against other new domains, were all of it said to be Loops. */
  hintedWeight(): number;
}

/** Who waits in a line, turn by turn. */
function createLinePicker(sqlite: Sqlite, db: Compiler, line: Line): (limit: number, at: number) => LineWaiting {
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
    let due: LineWaiting | null = null;
    const begun = (): LineWaiting => {
      if (due !== null) return due;
      const waiting = turns.all({}).map(({ turn }) => turn);
      // There may be hundreds of turns: all begin with about as many rows together as a line with one turn.
      const first = 1 + Math.ceil(limit / waiting.length);
      const found = waiting.length === 0 ? [] : (yields?.all({}) ?? []);
      const weightOf = turnWeights(waiting, found);
      const weight = hintedWeight(weightOf, found);
      const inTurns = share(
        waiting.map((turn) => ({
          key: turn,
          weight: weightOf.get(turn) ?? 1,
          waiting: queueOf(inTurn(turn, at, first)),
        })),
      );
      due = { ...inTurns, hintedWeight: () => weight };
      return due;
    };
    return {
      has: () => begun().has(),
      take: () => begun().take(),
      hintedWeight: () => begun().hintedWeight(),
    };
  };
}
