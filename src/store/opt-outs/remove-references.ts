import type { Domain } from '../../model/domain/domain.ts';
import { createOptOutSet, namesOptedOutHost } from '../../model/opt-outs/opt-out-names.ts';
import { DOMAIN_FIELDS } from '../../model/opt-outs/opted-out-references.ts';
import type { Sqlite } from '../sqlite/sqlite.ts';
import { bodyOf, documentColumns, documentIdsOf } from '../visits/documents.ts';
import { isSourceOptedOut } from './opted-out.ts';
import type { Orphans } from './remove-orphans.ts';

const nullIfRemoved = (column: string) => `${column} = iif(is_removed(${column}), null, ${column})`;
const domainField = `field in (${DOMAIN_FIELDS.map((field) => `'${field}'`)})`;

/** Defines SQL functions that tell whether a text, a stored document or the name of a source names one of the hosts; 0 for null. */
function defineFunctions(sqlite: Sqlite, hosts: readonly Domain[]): void {
  const removed = createOptOutSet(new Set(hosts));
  sqlite.function('is_removed', (text: unknown) =>
    Number(typeof text === 'string' && namesOptedOutHost(text, removed)),
  );
  sqlite.function('is_document_removed', (body: unknown, bytes: unknown, deflated: unknown) => {
    const document = bodyOf({ body, bytes, deflated } as Parameters<typeof bodyOf>[0]);
    return Number(document !== null && namesOptedOutHost(new TextDecoder().decode(document), removed));
  });
  sqlite.function('is_source_removed', (name: unknown) => Number(isSourceOptedOut(String(name), removed)));
}

/** The instances that are identified only by the NodeInfo of one of the hosts. */
export function domainsIdentifiedBy(sqlite: Sqlite, hosts: readonly Domain[]): { id: number; domain: Domain }[] {
  defineFunctions(sqlite, hosts);
  return sqlite
    .prepare<[], { id: number; domain: Domain }>(`
    select domains.id, domain from domains
    join facts on domain_id = domains.id
    join fact_sets on fact_sets.id = facts_id
    where via = 'nodeinfo' and canonical_host is not null and is_removed(canonical_host)
      and instr(facts, '"nodeinfo-other-host"')`)
    .all();
}

/**
 * Removes every reference to the hosts from the rows of other domains: it nulls columns, and deletes the steps and documents of the visits
 * that lead to the hosts. The texts of other servers stay. It reads all stored steps. Runs inside the caller's transaction.
 */
export function removeReferences(sqlite: Sqlite, hosts: readonly Domain[], orphans: Orphans): void {
  defineFunctions(sqlite, hosts);
  const updateDomains = ['alias_of', 'canonical_host'].map((column) =>
    sqlite.prepare(`update domains set ${column} = null where ${column} is not null and is_removed(${column})`),
  );
  const findVisits = sqlite.prepare<[], { id: number; domain_id: number }>(`
    with leading (document) as materialized (
      select id from documents where is_document_removed(body, bytes, deflated) and id in (
        select discovery_document from latest_documents where discovery_document is not null
        union select discovery_document from visits where discovery_document is not null
      )
    )
    select id, domain_id from visits where alias_of is not null and is_removed(alias_of)
    union select id, domain_id from visits where canonical_host is not null and is_removed(canonical_host)
    union select id, domain_id from visit_steps join visits on id = visit_id where is_removed(steps)
    union select visit_id, domain_id from leading join latest_documents on discovery_document = document
      where discovery_document is not null
    union select id, domain_id from leading join visits on discovery_document = document
      where discovery_document is not null`);
  const findDocuments = sqlite.prepare<
    { id: number; domain_id: number },
    Record<(typeof documentColumns)[number], number | null>
  >(`
    select ${documentColumns} from visits where id = @id
    union select ${documentColumns} from latest_documents where domain_id = @domain_id`);
  const clearVisit = [
    `update visits set ${nullIfRemoved('alias_of')}, ${nullIfRemoved('canonical_host')} where id = @id`,
    'delete from visit_steps where visit_id = @id',
    'delete from latest_documents where domain_id = @domain_id',
    'delete from robots where domain_id = @domain_id',
  ].map((statement) => sqlite.prepare<{ id: number; domain_id: number }>(statement));
  const dropDocument = ['visits', 'latest_documents'].flatMap((table) =>
    documentColumns.map((column) =>
      // SQLite uses the partial index only if the query repeats its condition.
      sqlite.prepare<[number]>(`update ${table} set ${column} = null where ${column} = ? and ${column} is not null`),
    ),
  );
  const rest = [
    `update changes set ${nullIfRemoved('from_value')}, ${nullIfRemoved('to_value')} where ${domainField}`,
    `delete from changes where ${domainField} and from_value is null and to_value is null`,
    `update source_runs set why = null, etag = null, last_modified = null
      where is_removed(why) or source_id in (select id from sources where is_source_removed(key || ' ' || label))`,
    `update sources set key = 'forgotten source ' || id, label = 'forgotten source ' || id
      where is_source_removed(key || ' ' || label)`,
    'delete from skipped_sources where is_source_removed(key) or is_removed(why)',
  ].map((statement) => sqlite.prepare(statement));
  for (const statement of updateDomains) statement.run();
  for (const visit of findVisits.all()) {
    const rows = findDocuments.all(visit);
    for (const statement of clearVisit) statement.run(visit);
    const documents = new Set(documentIdsOf(rows).filter((id) => id !== null));
    for (const id of documents) for (const statement of dropDocument) statement.run(id);
    orphans.removeDocuments(documents);
  }
  for (const statement of rest) statement.run();
}
