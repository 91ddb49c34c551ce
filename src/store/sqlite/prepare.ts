import type { Statement } from 'better-sqlite3';
import {
  type Compilable,
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import type { Tables } from '../schema/tables.ts';
import type { Sqlite } from './sqlite.ts';

/** Creates a named parameter of a query; its value is passed at each execution. */
export type QueryParameter<Parameters extends object> = <Name extends keyof Parameters & string>(
  name: Name,
) => RawBuilder<Parameters[Name]>;

/** A query that is compiled and prepared once. Synchronous, so that it can run inside a transaction. */
export interface Prepared<Parameters extends object, Row> {
  /** Executes a query without results and returns the number of changed rows. */
  run(parameters: Parameters): number;
  get(parameters: Parameters): Row | undefined;
  all(parameters: Parameters): Row[];
  /** Streams the rows. A prepared query allows only one iteration at a time. */
  iterate(parameters: Parameters): IterableIterator<Row>;
}

class NamedParameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a kysely query at its first execution and reuses the prepared statement; kysely itself does both at every execution. Compiling
 * lazily pays off because most processes execute only a few of the store's queries.
 *
 *     const due = prepare(sqlite, (parameter: QueryParameter<{ at: number }>) =>
 *       db.selectFrom('domains').select('domain').where('next_visit', '<=', parameter('at')));
 *     due.all({ at: 1 });
 */
export function prepare<Parameters extends object, Row>(
  sqlite: Sqlite,
  build: (parameter: QueryParameter<Parameters>) => Compilable<Row>,
): Prepared<Parameters, Row> {
  const prepared = once(() => {
    const { text, bind } = compile(build);
    return { statement: sqlite.prepare<unknown[], Row>(text), bind };
  });
  const execute =
    <Result>(runStatement: (statement: Statement<unknown[], Row>, values: unknown[]) => Result) =>
    (parameters: Parameters): Result => {
      const { statement, bind } = prepared();
      return runStatement(statement, bind(parameters));
    };
  return {
    run: execute((statement, values) => statement.run(...values).changes),
    get: execute((statement, values) => statement.get(...values)),
    all: execute((statement, values) => statement.all(...values)),
    iterate: execute((statement, values) => statement.iterate(...values)),
  };
}

/** Prepares a query that returns rows as tuples, which takes half the time of objects for many small rows. */
export function prepareTuples<Parameters extends object, Tuple extends readonly unknown[]>(
  sqlite: Sqlite,
  build: (parameter: QueryParameter<Parameters>) => Compilable<object>,
): (parameters: Parameters) => Tuple[] {
  const prepared = once(() => {
    const { text, bind } = compile(build);
    return { statement: sqlite.prepare<unknown[], Tuple>(text).raw(), bind };
  });
  return (parameters) => {
    const { statement, bind } = prepared();
    return statement.all(...bind(parameters));
  };
}

/** Calls `make` at the first use. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function compile<Parameters extends object, Row>(build: (parameter: QueryParameter<Parameters>) => Compilable<Row>) {
  const compiled = build((name) => sql`${new NamedParameter(name)}`).compile();
  const slots = compiled.parameters.map((parameter) =>
    parameter instanceof NamedParameter ? { name: parameter.name as keyof Parameters } : { constant: parameter },
  );
  const bind = (parameters: Parameters): unknown[] =>
    slots.map((slot) => ('constant' in slot ? slot.constant : parameters[slot.name]));
  return { text: compiled.sql, bind };
}

/** A kysely instance that only compiles SQL, for {@link prepare}. */
export type Compiler = Kysely<Tables>;

export function createCompiler(): Compiler {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

type QueryParameters<Parameters extends object, Name extends keyof Parameters> = {
  [Key in Name]: RawBuilder<Parameters[Key]>;
};

/** One parameter for each named column: `{ at: parameter('at'), ... }`. */
export function queryParameters<Parameters extends object, Name extends keyof Parameters & string>(
  parameter: QueryParameter<Parameters>,
  names: readonly Name[],
): QueryParameters<Parameters, Name> {
  return Object.fromEntries(names.map((name) => [name, parameter(name)])) as QueryParameters<Parameters, Name>;
}

/**
 * Creates a function that streams the rows of a query and supports concurrent iterations, which a single statement does not. Idle
 * statements are reused, because preparing one takes longer than reading a few rows.
 */
export function createIteration<Parameters extends object, Row>(
  prepareQuery: () => Prepared<Parameters, Row>,
): (parameters: Parameters) => IterableIterator<Row> {
  const idle: Prepared<Parameters, Row>[] = [];
  return function* iterate(parameters) {
    const query = idle.pop() ?? prepareQuery();
    try {
      yield* query.iterate(parameters);
    } finally {
      idle.push(query);
    }
  };
}
