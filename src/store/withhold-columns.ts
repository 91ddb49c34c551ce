import type { Withholding } from '../domain/withhold-names.ts';
import type { Sqlite } from './sqlite.ts';

/** Rows read in one statement, and written in one transaction. */
const CHUNK = 500;
/** Texts remembered: most rows have one of a few versions. */
const MOST_REMEMBERED = 10_000;

/** The columns that hold what other people's servers say, apart from documents and sets of facts, with what tells their rows apart. */
const COLUMNS: readonly { table: string; key: readonly string[]; columns: readonly string[]; dropIf?: string }[] = [
  { table: 'domains', key: ['id'], columns: ['software', 'version'] },
  { table: 'visits', key: ['id'], columns: ['software', 'version'] },
  { table: 'visit_steps', key: ['visit_id'], columns: ['steps'] },
  { table: 'corrections', key: ['visit_id', 'recorded_at'], columns: ['replaced'] },
  // Where both ends of a change are withheld, nothing is told to have changed.
  { table: 'changes', key: ['id'], columns: ['from_value', 'to_value'], dropIf: 'from_value is to_value' },
  { table: 'robots', key: ['domain_id'], columns: ['body'] },
];

type Value = string | number | Uint8Array | null;
type Row = Value[];

/** Puts away the names of those who have opted out from whatever else servers said, row by row, in transactions of some hundred. */
export function createColumnWithholder(sqlite: Sqlite): (withholding: Withholding) => void {
  const walks = COLUMNS.map(({ table, key, columns, dropIf }) => {
    const list = (names: readonly string[]) => names.join(', ');
    const marks = (names: readonly string[]) => names.map(() => '?').join(', ');
    const isKey = key.map((name) => `${name} = ?`).join(' and ');
    const some = sqlite
      .prepare<Value[], Row>(
        `select ${list([...key, ...columns])} from ${table} where (${list(key)}) > (${marks(key)})
          order by ${list(key)} limit ${CHUNK}`,
      )
      .raw();
    // Written only where it is still what was read.
    const update = sqlite.prepare<Value[]>(
      `update ${table} set ${columns.map((name) => `${name} = ?`).join(', ')}
        where ${isKey} and ${columns.map((name) => `${name} is ?`).join(' and ')}`,
    );
    const drop =
      dropIf === undefined ? null : sqlite.prepare<Value[]>(`delete from ${table} where ${isKey} and ${dropIf}`);
    const write = sqlite.transaction((rows: readonly { before: Row; after: Row }[]) => {
      for (const { before, after } of rows) {
        update.run(...after, ...before);
        drop?.run(...before.slice(0, key.length));
      }
    });
    return { key, some, write };
  });

  return (withholding) => {
    const remembered = new Map<string, string>();
    const toldText = (text: string): string => {
      const known = remembered.get(text);
      if (known !== undefined) return known;
      const told = withholding.inText(text);
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      remembered.set(text, told);
      return told;
    };
    const told = (value: Value): Value => {
      if (typeof value === 'string') return toldText(value);
      return value instanceof Uint8Array ? withholding.inBody(value) : value;
    };
    for (const { key, some, write } of walks) {
      let from: Row = key.map(() => -1);
      for (let rows = some.all(...from); rows.length > 0; rows = some.all(...from)) {
        const changed = rows.flatMap((before) => {
          const after = before.slice(key.length).map(told);
          return after.some((value, index) => value !== before[key.length + index]) ? [{ before, after }] : [];
        });
        if (changed.length > 0) write.immediate(changed);
        from = (rows.at(-1) ?? from).slice(0, key.length);
      }
    }
  };
}
