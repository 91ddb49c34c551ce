import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { optOutScopeOf } from '../../model/opt-outs/opt-out-names.ts';
import { createMetadataReader, createMetadataWriter } from '../metadata.ts';
import { type Compiler, prepare, type QueryParameter } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { documentColumns, documentIdsOf } from '../visits/documents.ts';
import { createOptOutFinder, type OptOutCache } from './opted-out.ts';
import { createStoredRedactor, scrub } from './redact-stored.ts';
import { createOrphanRemover } from './remove-orphans.ts';

/** A transaction blocks other writers, so it deletes no further domain after this time. */
const MAX_TRANSACTION_MS = 20;
/** Maximum domains in one transaction. */
const MAX_DOMAINS_PER_TRANSACTION = 1_000;
/** The pause between two transactions, for other writers. The thread sleeps, so that `forget` stays synchronous. */
const PAUSE_MS = 2;
/** How long a transaction waits for another connection, so that a purge does not stop half-way. */
const BUSY_TIMEOUT_MS = 10_000;

/** The progress of one step of the purge: complete for all opt-outs up to this id. */
const Progress = z.object({ lastId: z.number() });

/**
 * Opts domains out and purges their data. One transaction inserts an opt-out and deletes all rows that it covers, which ends any lease and
 * discards a visit in progress. Then the names are redacted in the rows of other domains, and the file is scrubbed. The next purge repeats
 * interrupted or failed steps.
 *
 * @param takePurgeRole returns null when another connection is redacting.
 */
export function createForgetter(
  sqlite: Sqlite,
  db: Compiler,
  { optedOut, takePurgeRole }: { optedOut: OptOutCache; takePurgeRole: () => Disposable | null },
): Pick<Store, 'forget' | 'isRedactionDue' | 'unpublishedPurge' | 'markPurgePublished'> {
  const pause = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  };
  const redactStored = createStoredRedactor(sqlite, optedOut, pause);
  const remove = createDomainRemover(sqlite, db);
  const optedOutAt = createOptOutFinder(sqlite);
  const insert = prepare(sqlite, (parameter: QueryParameter<{ name: string; at: number }>) =>
    db.insertInto('opt_outs').values({ name: parameter('name'), at: parameter('at') }),
  );
  const last = sqlite.prepare<[], number | null>('select max(id) from opt_outs').pluck();
  const lastId = () => last.get() ?? 0;
  function trackProgress(step: string) {
    const key = `opt-outs-${step}`;
    const read = createMetadataReader(sqlite, db, key, Progress);
    const write = createMetadataWriter<z.infer<typeof Progress>>(sqlite, db, key);
    const reached = () => read()?.lastId ?? 0;
    const advanceTo = sqlite.transaction((id: number) => {
      if (id > reached()) write({ lastId: id });
    });
    return { isBehind: () => lastId() > reached(), advanceTo: advanceTo.immediate };
  }
  const redaction = trackProgress('redacted');
  const scrubbing = trackProgress('scrubbed');
  const publication = trackProgress('published');

  /** Returns, for each domain processed within the time limit, whether an opt-out already covered it. */
  const forgetSome = sqlite.transaction((domains: readonly Domain[], at: number) => {
    const until = performance.now() + MAX_TRANSACTION_MS;
    const wasCovered: boolean[] = [];
    for (const domain of domains) {
      const isCovered = optedOutAt(domain) !== null;
      wasCovered.push(isCovered);
      if (isCovered) continue;
      insert.run({ name: domain, at });
      remove(domain);
      if (performance.now() >= until) break;
    }
    return wasCovered;
  });

  function forget(domains: readonly Domain[], at: number) {
    const requested = [...new Set(domains)];
    const already: Domain[] = [];
    withLongBusyTimeout(() => {
      for (let done = 0; done < requested.length; pause()) {
        const wasCovered = forgetSome.immediate(requested.slice(done, done + MAX_DOMAINS_PER_TRANSACTION), at);
        already.push(...requested.slice(done, done + wasCovered.length).filter((_, index) => wasCovered[index]));
        done += wasCovered.length;
        optedOut.refresh();
      }
    });
    purge();
    return { already, isScrubbed: !scrubbing.isBehind() };
  }

  /** Does nothing while another purge runs, because that one checks for new opt-outs again after it has released the role. */
  function purge(): void {
    do {
      using role = takePurgeRole();
      if (role === null) return;
      const id = lastId();
      optedOut.refresh();
      withLongBusyTimeout(() => {
        if (redaction.isBehind()) redactStored();
        redaction.advanceTo(id);
      });
      if (scrubbing.isBehind() && scrub(sqlite)) withLongBusyTimeout(() => scrubbing.advanceTo(id));
    } while (redaction.isBehind());
  }

  function withLongBusyTimeout(work: () => void): void {
    const before = sqlite.pragma('busy_timeout', { simple: true });
    sqlite.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    try {
      work();
    } finally {
      sqlite.pragma(`busy_timeout = ${before}`);
    }
  }

  return {
    forget,
    isRedactionDue: redaction.isBehind,
    unpublishedPurge: () => (publication.isBehind() ? lastId() : null),
    markPurgePublished: publication.advanceTo,
  };
}

/** Creates a function that deletes all domains covered by an opt-out, with their rows in other tables. Runs inside the caller's transaction. */
function createDomainRemover(sqlite: Sqlite, db: Compiler): (optOut: Domain) => void {
  const findNames = prepare(sqlite, (parameter: QueryParameter<{ bareName: string; wwwName: string }>) =>
    db
      .selectFrom('domains')
      .select('id')
      .where('domain', 'in', [parameter('bareName') as never, parameter('wwwName') as never]),
  );
  // ";" follows ":" in ASCII, so `HOST;` sorts after every `HOST:PORT`.
  const findWithPort = prepare(sqlite, (parameter: QueryParameter<{ first: string; beyond: string }>) =>
    db
      .selectFrom('domains')
      .select('id')
      .where('domain', '>', parameter('first') as never)
      .where('domain', '<', parameter('beyond') as never),
  );
  const idsOf = (optOut: Domain) => {
    const { bare, withWww, port } = optOutScopeOf(optOut);
    if (port !== null) return findNames.all({ bareName: `${bare}:${port}`, wwwName: `${withWww}:${port}` });
    const hosts = [...new Set([bare, withWww])];
    const withPorts = hosts.flatMap((host) => findWithPort.all({ first: `${host}:`, beyond: `${host};` }));
    return [...findNames.all({ bareName: bare, wwwName: withWww }), ...withPorts];
  };
  const visits = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db
      .selectFrom('visits')
      .select(['facts_id', ...documentColumns])
      .where('domain_id', '=', parameter('id')),
  );
  const facts = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('facts').select('facts_id').where('domain_id', '=', parameter('id')),
  );
  const latestDocuments = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.selectFrom('latest_documents').select(documentColumns).where('domain_id', '=', parameter('id')),
  );
  // Deletes the rows of other tables too (`on delete cascade`).
  const drop = prepare(sqlite, (parameter: QueryParameter<{ id: number }>) =>
    db.deleteFrom('domains').where('id', '=', parameter('id')),
  );
  const orphans = createOrphanRemover(sqlite, db);
  return (optOut) => {
    for (const { id } of idsOf(optOut)) {
      const rows = visits.all({ id });
      const factSets = [...rows.map((row) => row.facts_id), ...facts.all({ id }).map((row) => row.facts_id)];
      const documents = [...documentIdsOf(rows), ...documentIdsOf(latestDocuments.all({ id }))];
      drop.run({ id });
      orphans.removeFactSets(factSets);
      orphans.removeDocuments(documents);
    }
  };
}
