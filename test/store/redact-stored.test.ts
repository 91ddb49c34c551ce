import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { REDACTED_NAME } from '../../src/model/opt-outs/opt-out-names.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { REDACTED_COLUMNS } from '../../src/store/opt-outs/redact-stored.ts';
import type { Store } from '../../src/store/store.ts';
import { dumpRows } from './dump-rows.ts';
import { hour, loopsVisit, recordedVisit, sampleDomains, sampleFacts } from './sample-visit.ts';
import { scratchPath, withSqlite } from './scratch.ts';

const start = Date.UTC(2026, 0, 1);
const first = storedDomain('first-out.example.org');
const second = storedDomain('second-out.example.org');
const idn = storedDomain('xn--bcher-kva.example.org');
const optedOut = [first, second, idn];
/** Matches every opted-out name. */
const NAMES = /first-out|second-out|b(?:ü|\\u00fc)cher|bcher-kva/i;

const bytes = (text: string) => new TextEncoder().encode(text);

function lease(store: Store, domain: Domain, at: number) {
  store.requestVisit([domain], at);
  const [leased] = store.lease(1, at, { only: [domain] });
  if (leased === undefined) throw new Error(`${domain} was not leased`);
  return leased;
}

/** A visit in which every text field contains a name. */
function visitNaming(domain: Domain, name: string, at: number): Visit {
  const facts = { ...sampleFacts, name: `once ${name}`, description: `from\n${name}.`, version: `1.0+${name}` };
  return loopsVisit(domain, at, {
    facts: { ...facts, notes: [{ field: 'app.url', problem: `expected a string, found "${name}"` }] },
    version: facts.version,
    documents: {
      config: bytes(`{"app":{"description":"from\\n${name}.","url":"https:\\/\\/${name.toUpperCase()}:8443\\/"}}`),
      discovery: bytes(`${'long enough to be deflated '.repeat(60)} ${name}`),
      nodeinfo: bytes('{"names":"nobody"}'),
    },
    robots: { readAt: at, body: bytes(`Sitemap: https://${name}/sitemap.xml`) },
    steps: [
      {
        probe: 'config',
        url: `https://${domain}/xn--bcher-kva.example.org`,
        status: 200,
        ms: 1,
        bytes: 1,
        failure: null,
      },
    ],
  });
}

/** Records a visit to `domain` that finds `name` in every text field. */
function record(store: Store, domain: Domain, name: string, at: number): void {
  const leased = lease(store, domain, at);
  const visit = visitNaming(domain, name, at);
  const result = recordedVisit(leased, at, visit);
  expect(store.record([result]).lost).toEqual([]);
}

const rowsWithNames = (rows: readonly string[]) => rows.filter((row) => NAMES.test(row));

test('after an opt-out no table names the hosts, documents that named them have no body, and a second opt-out changes nothing', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [host = first, otherHost = first, thirdHost = first] = sampleDomains(3);
  for (const [index, name] of [first, second, 'bücher.example.org', 'nobody.example.org', first].entries()) {
    for (const domain of [host, otherHost, thirdHost]) record(store, domain, name, start + index * 6 * hour);
  }
  expect(rowsWithNames(dumpRows(path)).length).toBeGreaterThan(30);
  const before = dumpRows(path).filter((row) => row.startsWith('documents:')).length;

  store.forget(optedOut, start + 100 * hour);
  const after = dumpRows(path);
  expect(rowsWithNames(after)).toEqual([]);
  expect(after.join('\n')).toContain(`from\\n${REDACTED_NAME}.`);
  const documents = after.filter((row) => row.startsWith('documents:'));
  const redacted = documents.filter((row) => row.includes('body=null redacted_because=opted-out'));
  // Each of the four names is in a config and a discovery document; NodeInfo is always the same. Three of the names opted out.
  expect([before, documents.length, redacted.length]).toEqual([9, 9, 6]);
  using reader = store.reader();
  for (const visit of reader.visitsOf(host)) {
    expect(Object.keys(visit.documents)).toEqual(['config', 'discovery', 'nodeinfo']);
    const [config] = Object.values(visit.documents);
    expect(visit.facts?.name).toMatch(/^once (opted-out\.invalid|nobody\.example\.org)$/);
    expect(reader.document(config ?? 0)?.body === null).toBe(visit.facts?.name === `once ${REDACTED_NAME}`);
  }
  const nameChanges = [...reader.changesOf(host)]
    .filter(({ field }) => field === 'name')
    .map(({ from, to }) => [from, to]);
  // A change between two redacted values is deleted.
  expect(nameChanges.toSorted()).toEqual([
    ['once nobody.example.org', `once ${REDACTED_NAME}`],
    [`once ${REDACTED_NAME}`, 'once nobody.example.org'],
  ]);

  store.forget([first], start + 101 * hour);
  expect(dumpRows(path).filter((row) => !row.startsWith('metadata:'))).toEqual(
    after.filter((row) => !row.startsWith('metadata:')),
  );
});

test('forgetting a domain also redacts the names that a killed process left', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [host = first, otherHost = first] = sampleDomains(2);
  record(store, host, first, start);
  store.forget(optedOut, start);
  // Simulates rows that a killed process did not redact.
  const body = bytes(`{"app":{"description":"from\\n${first}."}}`);
  withSqlite(path, (sqlite) => {
    const insert = sqlite.prepare(
      'insert into documents (sha256, bytes, deflated, body) values (?, ?, 0, ?) returning id',
    );
    const id = insert.pluck().get(hash('sha256', body, 'buffer'), body.length, body);
    sqlite.prepare('update visits set config_document = ?, version = ?').run(id, second);
  });
  expect(rowsWithNames(dumpRows(path))).not.toEqual([]);
  store.forget([otherHost], start);
  expect(rowsWithNames(dumpRows(path))).toEqual([]);
});

test('a visit in progress during an opt-out is recorded without the opted-out name', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [host = first] = sampleDomains(1);
  record(store, host, 'nobody.example.org', start);
  const at = start + 6 * hour;
  const leased = lease(store, host, at);
  const result = recordedVisit(leased, at, visitNaming(host, first, at));
  await using elsewhere = await openStore({ path });
  elsewhere.forget(optedOut, at + 1);
  expect(store.record([result]).lost).toEqual([]);
  expect(rowsWithNames(dumpRows(path))).toEqual([]);
});

test('facts without opted-out names are recorded unchanged', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.forget(optedOut, start);
  const [host = first] = sampleDomains(1);
  record(store, host, 'nobody.example.org', start + hour);
  using reader = store.reader();
  const [visit] = reader.visitsOf(host);
  const { facts } = visitNaming(host, 'nobody.example.org', start + hour);
  // The counts are read back with the time of the visit.
  expect(visit?.facts).toEqual({ ...facts, usage: expect.anything() });
});

test('a document that names an opted-out host is stored only as a hash', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [host = first] = sampleDomains(1);
  store.forget(optedOut, start);
  record(store, host, first, start + hour);
  record(store, host, first, start + 2 * hour);
  expect(rowsWithNames(dumpRows(path))).toEqual([]);
  using reader = store.reader();
  const [visit] = reader.visitsOf(host);
  const { config } = visitNaming(host, first, start).documents;
  expect(reader.document(visit?.documents.config ?? 0)).toEqual({ sha256: hash('sha256', config ?? ''), body: null });
  const documents = dumpRows(path).filter((row) => row.startsWith('documents:'));
  expect(documents.map((row) => row.includes('redacted_because=opted-out'))).toEqual([true, true, false]);
});

test('opting out s.video redacts neither loops.video nor x.s.video', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const domains = sampleDomains(3);
  const [host = first, otherHost = first, thirdHost = first] = domains;
  record(store, host, 'loops.video', start);
  record(store, otherHost, 'x.s.video', start);
  record(store, thirdHost, 's.video', start);
  const rowsOf = (name: string) =>
    dumpRows(path)
      .filter((row) => row.includes(name))
      .sort();
  const [loops, below] = [rowsOf('loops.video'), rowsOf('x.s.video')];
  store.forget([storedDomain('s.video')], start + hour);
  expect([rowsOf('loops.video'), rowsOf('x.s.video')]).toEqual([loops, below]);
  expect(dumpRows(path).filter((row) => /(?<![\w.-])s\.video/.test(row.replaceAll('\\n', ' ')))).toEqual([]);
});

/** Columns without remote text, or with a redaction of their own. */
const NO_NAMES = new Set([
  ...['domains.domain', 'domains.registrable_domain', 'opt_outs.name'],
  ...['state', 'verdict', 'reason', 'identified_as', 'via', 'noindex_by', 'owner', 'outcome', 'field'],
  ...['cause', 'redacted_because', 'refused_by_reason', 'type'],
  // Redacted separately.
  ...['documents.sha256', 'documents.body', 'fact_sets.facts', 'sources.key', 'sources.label', 'skipped_sources.key'],
  // Values with a dot are not stored.
  'domain_sources.software',
  // Numbers, texts of Loopscout, and data of the software project.
  ...['facts.usage', 'facts.read_at', 'metadata.key', 'metadata.value', 'releases.version'],
]);

test('every column that can hold remote text is redacted', async () => {
  const path = scratchPath();
  await using _store = await openStore({ path });
  const columns = withSqlite(path, (sqlite) =>
    sqlite
      .prepare<[], { table: string; column: string }>(
        `select t.name as "table", c.name as "column" from pragma_table_list as t, pragma_table_info(t.name) as c
          where t.schema = 'main' and t.name not like '%kysely%' and t.name not like 'sqlite%' and c.type in ('TEXT', 'BLOB')`,
      )
      .all(),
  );
  const unhandled = columns.filter(({ table, column }) => {
    return !NO_NAMES.has(column) && !NO_NAMES.has(`${table}.${column}`) && !REDACTED_COLUMNS[table]?.includes(column);
  });
  expect(unhandled, 'add them to REDACTED_COLUMNS or NO_NAMES').toEqual([]);
});
