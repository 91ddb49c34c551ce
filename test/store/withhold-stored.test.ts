import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Domain } from '../../src/domain/domain.ts';
import { storedDomain } from '../../src/domain/stored-domain.ts';
import { WITHHELD_NAME } from '../../src/domain/withheld-name.ts';
import type { Visit } from '../../src/record/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { replayRules } from './replay-rules.ts';
import { hour, loopsVisit, recorded, sampleDomains, sampleFacts } from './sample-visit.ts';
import { meddle, scratchPath } from './scratch.ts';
import { toldRows } from './told-rows.ts';

const start = Date.UTC(2026, 0, 1);
const first = storedDomain('first-out.example.org');
const second = storedDomain('second-out.example.org');
const idn = storedDomain('xn--bcher-kva.example.org');
const out = [first, second, idn];
/** In every table, as a reader would see them: none of these is the opt-out itself. */
const NAMES = /first-out|second-out|b(?:ü|\\u00fc|%c3%bc)cher|bcher-kva/i;

const bytes = (text: string) => new TextEncoder().encode(text);

function lease(store: Store, domain: Domain, at: number) {
  store.requestVisit([domain], at);
  const [leased] = store.lease(1, at, { only: [domain] });
  if (leased === undefined) throw new Error(`${domain} was not leased`);
  return leased;
}

/** A visit of which everything that can hold a text names a host. */
function naming(domain: Domain, name: string, at: number): Visit {
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
        url: `https://${domain}/b%C3%BCcher.example.org`,
        status: 200,
        ms: 1,
        bytes: 1,
        failure: null,
      },
    ],
  });
}

function record(store: Store, domain: Domain, name: string, at: number): void {
  const leased = lease(store, domain, at);
  const visit = naming(domain, name, at);
  const result = recorded(leased, at, visit);
  expect(store.record([result]).lost).toEqual([]);
}

const leftIn = (rows: readonly string[]) => rows.filter((row) => NAMES.test(row));

test('what others say names nobody who has opted out, in any table, and what became the same is kept once', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [one = first, other = first, third = first] = sampleDomains(3);
  for (const [index, name] of [first, second, 'bücher.example.org', 'nobody.example.org', first].entries()) {
    for (const domain of [one, other, third]) record(store, domain, name, start + index * 6 * hour);
  }
  expect(leftIn(toldRows(path)).length).toBeGreaterThan(30);
  const before = toldRows(path).filter((row) => row.startsWith('documents:')).length;

  store.forget(out, start + 100 * hour);
  const after = toldRows(path);
  expect(leftIn(after)).toEqual([]);
  expect(after.join('\n')).toContain(`from\\n${WITHHELD_NAME}.`);
  // First, second and the third are one text now.
  const documents = after.filter((row) => row.startsWith('documents:'));
  expect([before, documents.length]).toEqual([9, 5]);
  using reader = store.reader();
  for (const visit of reader.visitsOf(one)) {
    expect(Object.keys(visit.documents)).toEqual(['config', 'discovery', 'nodeinfo']);
    for (const id of Object.values(visit.documents)) {
      const document = reader.document(id);
      expect(document?.sha256).toBe(hash('sha256', document?.body ?? ''));
    }
    expect(visit.facts?.name).toMatch(/^once (opted-out\.invalid|nobody\.example\.org)$/);
  }
  const told = [...reader.changesOf(one)].filter(({ field }) => field === 'name').map(({ from, to }) => [from, to]);
  // What was withheld at both ends is no change any more.
  expect(told.toSorted()).toEqual([
    ['once nobody.example.org', `once ${WITHHELD_NAME}`],
    [`once ${WITHHELD_NAME}`, 'once nobody.example.org'],
  ]);

  store.forget([first], start + 101 * hour);
  expect(toldRows(path).filter((row) => !row.startsWith('notes:'))).toEqual(
    after.filter((row) => !row.startsWith('notes:')),
  );
});

test('what a killed process left is withheld by forgetting again', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [one = first, other = first] = sampleDomains(2);
  record(store, one, first, start);
  store.forget(out, start);
  // What is here again is told as it was when it was not reached.
  const body = bytes(`{"app":{"description":"from\\n${first}."}}`);
  meddle(path, (sqlite) => {
    const insert = sqlite.prepare(
      'insert into documents (sha256, bytes, deflated, body) values (?, ?, 0, ?) returning id',
    );
    const id = insert.pluck().get(hash('sha256', body, 'buffer'), body.length, body);
    sqlite.prepare('update visits set config_document = ?, version = ?').run(id, second);
  });
  expect(leftIn(toldRows(path))).not.toEqual([]);
  store.forget([other], start);
  expect(leftIn(toldRows(path))).toEqual([]);
});

test('a visit that was under way when somebody opted out names nobody in what is recorded of it', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [one = first] = sampleDomains(1);
  record(store, one, 'nobody.example.org', start);
  const at = start + 6 * hour;
  const leased = lease(store, one, at);
  const result = recorded(leased, at, naming(one, first, at));
  await using elsewhere = await openStore({ path });
  elsewhere.forget(out, at + 1);
  expect(store.record([result]).lost).toEqual([]);
  expect(leftIn(toldRows(path))).toEqual([]);
});

test('a document that was read before it was withheld is replayed without the name', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [one = first] = sampleDomains(1);
  record(store, one, 'nobody.example.org', start);
  store.forget(out, start + hour);
  using reader = store.reader();
  const [visit] = reader.visitsOf(one);
  if (visit === undefined) throw new Error('there is no visit');
  const { facts, version } = naming(one, second, start);
  const correction = { visitId: visit.id, visit: { ...visit, facts, version }, replaced: { version } };
  expect(store.correct(one, [correction], start + 2 * hour, replayRules(start + 2 * hour))).toBe(true);
  expect(leftIn(toldRows(path))).toEqual([]);
});

test('a visit that names nobody is recorded as it is', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  store.forget(out, start);
  const [one = first] = sampleDomains(1);
  record(store, one, 'nobody.example.org', start + hour);
  using reader = store.reader();
  const [visit] = reader.visitsOf(one);
  expect(visit?.facts?.name).toBe('once nobody.example.org');
});

test('steps that name one of many go as those that name one of a few', async () => {
  const path = scratchPath();
  await using store = await openStore({ path });
  const [one = first, ...many] = sampleDomains(40);
  const [named = first] = many;
  const at = start + hour;
  const leased = lease(store, one, at);
  const url = `https://${named}/api/v1/config`;
  const steps = [{ probe: 'config', url, status: 200, ms: 1, bytes: 1, failure: null } as const];
  store.record([recorded(leased, at, loopsVisit(one, at, { steps }))]);
  store.forget(many, at + 1);
  using reader = store.reader();
  expect([...reader.visitsOf(one)].map((visit) => visit.steps)).toEqual([null]);
});
