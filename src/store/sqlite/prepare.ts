import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Sqlite } from './sqlite.ts';

/** Stands in a query for a value that is given at each execution. */
export type Placeholder<Parameters extends object> = <Name extends keyof Parameters & string>(
  name: Name,
) => RawBuilder<Parameters[Name]>;

/** A query that was compiled and prepared once. Synchronous, so that it can run inside a transaction. */
export interface Prepared<Parameters extends object, Row> {
  /** Executes a query that returns no rows; answers how many rows it changed. */
  run(parameters: Parameters): number;
  get(parameters: Parameters): Row | undefined;
  all(parameters: Parameters): Row[];
  /** Streams; only one iteration of one prepared query can be going on at a time. */
  iterate(parameters: Parameters): IterableIterator<Row>;
}

class Named {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a kysely query once and keeps the prepared statement; kysely itself would do both at every execution.
 *
 *     const due = prepare(sqlite, (value: Placeholder<{ at: number }>) =>
 *       db.selectFrom('domains').select('domain').where('next_visit', '<=', value('at')));
 *     due.all({ at: 1 });
 */
export function prepare<Parameters extends object, Row>(
  sqlite: Sqlite,
  build: (value: Placeholder<Parameters>) => Compilable<Row>,
): Prepared<Parameters, Row> {
  const { text, bind } = compile(build);
  const statement = sqlite.prepare<unknown[], Row>(text);
  return {
    run: (parameters) => statement.run(...bind(parameters)).changes,
    get: (parameters) => statement.get(...bind(parameters)),
    all: (parameters) => statement.all(...bind(parameters)),
    iterate: (parameters) => statement.iterate(...bind(parameters)),
  };
}

/** Prepares a query for many rows of a few values each, and answers what executes it: lists take half the time of objects. */
export function prepareLists<Parameters extends object, List extends readonly unknown[]>(
  sqlite: Sqlite,
  build: (value: Placeholder<Parameters>) => Compilable<object>,
): (parameters: Parameters) => List[] {
  const { text, bind } = compile(build);
  const statement = sqlite.prepare<unknown[], List>(text).raw();
  return (parameters) => statement.all(...bind(parameters));
}

function compile<Parameters extends object, Row>(build: (value: Placeholder<Parameters>) => Compilable<Row>) {
  const compiled = build((name) => sql`${new Named(name)}`).compile();
  const slots = compiled.parameters.map((parameter) =>
    parameter instanceof Named ? { name: parameter.name as keyof Parameters } : { constant: parameter },
  );
  const bind = (parameters: Parameters): unknown[] =>
    slots.map((slot) => ('constant' in slot ? slot.constant : parameters[slot.name]));
  return { text: compiled.sql, bind };
}
