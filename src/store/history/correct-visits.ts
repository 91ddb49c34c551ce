import { findDomainChanges } from '../../model/domain-changes.ts';
import type { DomainRecord } from '../../model/domain-record.ts';
import type { OptOutSet } from '../../model/opt-outs/opt-out-names.ts';
import { redactNames } from '../../model/opt-outs/redact-names.ts';
import type { LoggedVisit } from '../../model/visit.ts';
import { createRescheduleWriter } from '../frontier/reschedules.ts';
import type { Compiler } from '../sqlite/prepare.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import type { Store } from '../store.ts';
import { toDomainColumns, toDomainRecord } from '../visits/domain-row.ts';
import { createInstanceWriter } from '../visits/write-instance.ts';
import { cutAfter } from './as-of-cut.ts';
import { createPastFactsReader } from './as-of-facts.ts';
import { createDomainLog, type Reschedule } from './domain-log.ts';

/**
 * Corrects visits of one domain and recomputes its log from the first of them on, in the order of recording: visits, reschedules, the
 * changes that follow from both, and the current record. The log before that visit is not changed.
 */
export function createVisitCorrector(sqlite: Sqlite, db: Compiler, optedOut: OptOutSet): Store['correct'] {
  const log = createDomainLog(sqlite, db);
  const instances = createInstanceWriter(sqlite, db);
  const writeReschedule = createRescheduleWriter(sqlite, db);

  const correct = sqlite.transaction((...[domain, corrections, at, rules]: Parameters<Store['correct']>): boolean => {
    const row = log.find.get({ domain });
    if (row === undefined || row.isLeased === 1) return false;
    const domainId = row.id;
    const firstLoopsId = log.firstLoopsVisit(domainId);
    // A host may have opted out since the documents were read.
    const appliedCorrections = redactNames(corrections, optedOut).filter((correction) =>
      log.correct(domainId, correction, at),
    );
    if (appliedCorrections.length === 0) return false;
    const firstId = Math.min(...appliedCorrections.map(({ visitId }) => visitId));
    instances.restore(domainId, createPastFactsReader(sqlite, 'id')(domainId, cutAfter(firstId - 1)));

    const current = toDomainRecord(row);
    let record = log.recordBefore(domainId, firstId, { current, firstLoopsId }, rules);
    let lastVisit: LoggedVisit | null = null;
    const reschedules = log.reschedules.all({ domainId, visitId: firstId });
    const applyReschedulesBefore = (visitId: number) => {
      for (let next = reschedules[0]; next !== undefined && next.after_visit_id < visitId; next = reschedules[0]) {
        reschedules.shift();
        record = afterReschedule(record, next);
      }
    };
    const afterReschedule = (before: DomainRecord, reschedule: Reschedule): DomainRecord => {
      const { id, cause, at: rescheduledAt, state } = reschedule;
      const after = cause === 'added' ? rules.afterAdded(before, rescheduledAt) : before;
      if (after.state !== state) log.setRescheduleState(id, after.state);
      if (cause === 'added')
        log.reconcile(findDomainChanges(before, after), { domainId, at: rescheduledAt, visitId: null });
      return after;
    };
    for (const visit of log.visitsFrom(domainId, firstId, domain)) {
      applyReschedulesBefore(visit.id);
      lastVisit = visit;
      const after = rules.afterVisit(record, visit);
      const { facts, via } = visit;
      const instanceUpdate =
        facts === null || via === null ? null : instances.update({ domainId, facts, via, at: visit.at });
      log.setDomainValues.run({
        id: visit.id,
        state: after.state,
        last_seen: after.lastSeen === visit.at ? null : (after.lastSeen ?? 0),
        merged_facts_id: instanceUpdate?.mergedFactsId ?? null,
      });
      const changes = [...findDomainChanges(record, after), ...(instanceUpdate?.changes ?? [])];
      log.reconcile(changes, { domainId, at: visit.at, visitId: visit.id });
      record = after;
    }
    applyReschedulesBefore(Number.POSITIVE_INFINITY);
    if (lastVisit === null) return false;
    const after = redactNames(rules.afterReplay(current, record, lastVisit), optedOut);
    log.updateDomain.run(toDomainColumns(after));
    if (after.nextVisit !== current.nextVisit) writeReschedule({ id: domainId, at, cause: 'replay' });
    return true;
  });
  return (...parameters) => correct.immediate(...parameters);
}
