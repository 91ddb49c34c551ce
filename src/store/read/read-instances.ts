import type { Domain } from '../../model/domain/domain.ts';
import { derivedFlags } from '../../model/facts/derived-flags.ts';
import type { KnownFacts } from '../../model/facts/known-facts.ts';
import { isUnconfirmed } from '../../model/instance-record.ts';
import { createReleaseFinder } from '../sources/releases.ts';
import { type Compiler, createIteration, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { ReadScope } from '../sqlite/read-scope.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { FlagOptions } from '../store.ts';
import type { StoreReader } from '../store-reader.ts';
import { qualifiedDomainColumns, toDomainRecord } from '../visits/domain-row.ts';
import { factsColumns, toKnownFacts } from '../visits/facts-row.ts';
import { listed } from './listed.ts';
import { createTimedVisitReader, createUptimeReader } from './read-uptime.ts';

type Nothing = Record<never, never>;
type OfDomain = { domain: Domain };

/** Data about the other instances, which the derived flags of an instance depend on. */
interface FlagContext {
  newest: string | null;
  isCrowded: (registrableDomain: string) => boolean;
}

export type InstanceReader = Pick<
  StoreReader,
  'instances' | 'factsOf' | 'uptimeOf' | 'timedVisitsOf' | 'newestRelease'
>;

export function createInstanceReader(
  sqlite: Sqlite,
  db: Compiler,
  { read, stream }: ReadScope,
  { crowdedFrom, staleDays }: FlagOptions,
): InstanceReader {
  const newestRelease = createReleaseFinder(sqlite, db);
  const readUptime = createUptimeReader(sqlite, db);
  const readTimedVisits = createTimedVisitReader(sqlite, db);
  const selectFacts = () =>
    db
      .selectFrom('domains')
      .innerJoin('facts', 'facts.domain_id', 'domains.id')
      .innerJoin('fact_sets', 'fact_sets.id', 'facts.facts_id')
      .select(factsColumns);
  const listedInstances = createIteration(() =>
    prepare(sqlite, (_parameter: QueryParameter<Nothing>) =>
      selectFacts()
        .select([...qualifiedDomainColumns, 'domains.id', 'registrable_domain'])
        .where(listed)
        .orderBy('domain'),
    ),
  );
  const findFacts = prepare(sqlite, (parameter: QueryParameter<OfDomain>) =>
    selectFacts()
      .select(['registrable_domain', 'identified_as', 'state', 'failures'])
      .where('domain', '=', parameter('domain')),
  );
  const findDomain = prepare(sqlite, (parameter: QueryParameter<OfDomain>) =>
    db.selectFrom('domains').select(['id', 'was_ever_loops']).where('domain', '=', parameter('domain')),
  );
  const crowdedDomains = prepare(sqlite, (parameter: QueryParameter<{ from: number }>) =>
    db
      .selectFrom('domains')
      .select('registrable_domain as name')
      .where(listed)
      .groupBy('registrable_domain')
      .having((row) => row.fn.countAll<number>(), '>=', parameter('from')),
  );

  const countSharing = prepare(sqlite, (parameter: QueryParameter<{ name: string; from: number }>) =>
    db
      .selectFrom((inner) =>
        inner
          .selectFrom('domains')
          .select('domains.id')
          .where('registrable_domain', '=', parameter('name'))
          .where(listed)
          .limit(parameter('from'))
          .as('sharing'),
      )
      .select((row) => row.fn.countAll<number>().as('count')),
  );

  const uptimeDomainOf = (domain: Domain) => {
    const row = findDomain.get({ domain });
    // No visit has the domain -1, so an unknown domain has no uptime.
    return { domainId: row?.id ?? -1, wasEverLoops: row?.was_ever_loops === 1 };
  };
  const readNewest = () => newestRelease()?.version ?? null;
  const readFlagContext = (): FlagContext => {
    const names = new Set(crowdedDomains.all({ from: crowdedFrom }).map(({ name }) => name));
    return { newest: readNewest(), isCrowded: (name) => names.has(name) };
  };
  const withFlags = (
    stored: KnownFacts,
    { registrable, isUnconfirmed }: { registrable: string; isUnconfirmed: boolean },
    at: number,
    { newest, isCrowded }: FlagContext,
  ): KnownFacts => {
    const hasCrowdedDomain = isCrowded(registrable);
    const derived = derivedFlags(stored, { at, staleDays, newest, hasCrowdedDomain, isUnconfirmed });
    if (derived.length === 0) return stored;
    return { ...stored, facts: { ...stored.facts, flags: [...stored.facts.flags, ...derived] } };
  };

  return {
    *instances(at) {
      const context = read(readFlagContext);
      yield* stream(
        () => listedInstances({}),
        (row) => {
          const record = toDomainRecord(row);
          const about = { registrable: row.registrable_domain, isUnconfirmed: isUnconfirmed(record) };
          return {
            ...record,
            ...withFlags(toKnownFacts(row), about, at, context),
            uptime: readUptime({ domainId: row.id, wasEverLoops: row.was_ever_loops === 1 }, at),
          };
        },
      );
    },
    factsOf: (domain, at, newest) =>
      read(() => {
        const row = findFacts.get({ domain });
        if (row === undefined) return null;
        const stored = toKnownFacts(row);
        if (at === undefined) return stored;
        const { identified_as: identifiedAs, state, failures } = row;
        const about = {
          registrable: row.registrable_domain,
          isUnconfirmed: isUnconfirmed({ identifiedAs, state, failures }),
        };
        return withFlags(stored, about, at, {
          newest: newest === undefined ? readNewest() : newest,
          isCrowded: (name) => (countSharing.get({ name, from: crowdedFrom })?.count ?? 0) >= crowdedFrom,
        });
      }),
    uptimeOf: (domain, at) => read(() => readUptime(uptimeDomainOf(domain), at)),
    timedVisitsOf: (domain, period) => read(() => readTimedVisits(uptimeDomainOf(domain), period)),
    newestRelease: () => read(newestRelease),
  };
}
