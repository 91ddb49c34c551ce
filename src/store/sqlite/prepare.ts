import type { Statement } from 'better-sqlite3';
import {
  type Compilable,
  DummyDriver,
  type Expression,
  Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
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

class NamedParameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is compiled and prepared once, at its first execution; kysely itself does both at every execution. Most processes execute
 * only a few of the store's queries. Synchronous, so that it can run inside a transaction.
 */
export class Query<Parameters extends object, Row> {
  readonly #sqlite: Sqlite;
  readonly #build: (parameter: QueryParameter<Parameters>) => Compilable<Row>;
  #compiled: { text: string; bind: (parameters: Parameters) => unknown[] } | undefined;
  #statement: Statement<unknown[], Row> | undefined;
  #tuples: Statement<unknown[], unknown> | undefined;
  /** A statement can run only one iteration at a time. They are reused, because preparing takes longer than reading a few rows. */
  readonly #idle: Statement<unknown[], Row>[] = [];

  constructor(sqlite: Sqlite, build: (parameter: QueryParameter<Parameters>) => Compilable<Row>) {
    this.#sqlite = sqlite;
    this.#build = build;
  }

  /** Executes a query without results and returns the number of changed rows. */
  run(parameters: Parameters): number {
    this.#statement ??= this.#prepare();
    return this.#statement.run(...this.#bind(parameters)).changes;
  }

  get(parameters: Parameters): Row | undefined {
    this.#statement ??= this.#prepare();
    return this.#statement.get(...this.#bind(parameters));
  }

  all(parameters: Parameters): Row[] {
    this.#statement ??= this.#prepare();
    return this.#statement.all(...this.#bind(parameters));
  }

  /** Returns rows as tuples, which takes half the time of objects for many small rows. */
  tuples<Tuple extends readonly unknown[]>(parameters: Parameters): Tuple[] {
    this.#tuples ??= this.#prepare().raw();
    return this.#tuples.all(...this.#bind(parameters)) as Tuple[];
  }

  /** Streams the rows; several iterations can run at a time. */
  *iterate(parameters: Parameters): IterableIterator<Row> {
    const statement = this.#idle.pop() ?? this.#prepare();
    try {
      yield* statement.iterate(...this.#bind(parameters));
    } finally {
      this.#idle.push(statement);
    }
  }

  #prepare(): Statement<unknown[], Row> {
    this.#compiled ??= compile(this.#build);
    return this.#sqlite.prepare<unknown[], Row>(this.#compiled.text);
  }

  #bind(parameters: Parameters): unknown[] {
    return this.#compiled?.bind(parameters) ?? [];
  }
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

/** The plus changes no value. Without it, SQLite would prepare a query with a join, an order or a limit anew for each execution. */
class QueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

/** A kysely instance that only compiles SQL, for {@link Query}. */
export type Compiler = Kysely<Tables>;

export function createCompiler(): Compiler {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new QueryCompiler(),
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

export const selectLastId = (db: Compiler, table: 'changes' | 'domains' | 'opt_outs' | 'visits') =>
  db.selectFrom(table).select((row) => row.fn.max<number | null>('id').as('id'));

/** Counts the rows of a query, and reads no more than `most` of them. */
export const countUpTo = (
  db: Compiler,
  rows: SelectQueryBuilder<Tables, 'domains', { id: number }>,
  most: Expression<number>,
) => db.selectFrom(rows.limit(most).as('counted')).select((row) => row.fn.countAll<number>().as('count'));
