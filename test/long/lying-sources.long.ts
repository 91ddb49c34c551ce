import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { runCommand } from '../commands/run-command.ts';
import { createFleetHome } from '../process/fleet-home.ts';
import { endlessAnswer, jsonAnswer, type ListAnswer, startListSite } from '../process/list-site.ts';

const HONEST = 60;
const FLOOD = 3_000;
const SHRINKING = 200;
const MAX_PER_REGISTRABLE = 100;
const INTERNAL = ['127.0.0.1', '127.0.0.1:8443', 'localhost', '[::1]', '10.0.0.1', '192.168.1.1:443', 'router.local'];

/** A list that repeats five hosts up to a size of 10 GB. Each entry has 21 characters. */
function* tenGigabytes(): Iterable<string> {
  yield '["nowhere-e0.example"';
  for (let sent = 0; sent < 10_000_000_000; sent += 21) yield `,"nowhere-e${(sent / 21) % 5}.example"`;
}

/** Every page lists one new host and names a next page. */
const endlessPages: ListAnswer = (request, response) => {
  const page = Number(new URL(request.url ?? '', 'https://x.example').searchParams.get('cursor') ?? 0);
  jsonAnswer({ data: [`nowhere-p${page}.example`], next: String(page + 1) })(request, response);
};

/** Sends one byte at a time, without end. */
const dripAnswer: ListAnswer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('["nowhere-slow.example",');
  const timer = setInterval(() => response.write(' '), 200);
  response.on('close', () => clearInterval(timer));
};

test('misbehaving sources are contained and reported, while an honest one is read and visited', async () => {
  await using fleet = await createFleet({ hosts: HONEST, mix: { loops: 1, 'other-by-config': 4 }, log: false });
  await using site = await startListSite({
    authorities: [fleet.caPem],
    isUnknown: (name) => name.startsWith('nowhere') || name.endsWith('flooded.example'),
  });
  using home = createFleetHome({ ...site, hosts: [] }, { queue: { concurrency: 16 } });
  const honest = fleet.hosts.map(({ domain }) => domain);
  const shrinking = Array.from({ length: SHRINKING }, (_, index) => `nowhere-s${index}.example`);
  const answers: Record<string, ListAnswer> = {
    'honest.example': jsonAnswer(honest),
    'flood.example': jsonAnswer(Array.from({ length: FLOOD }, (_, index) => `h${index}.flooded.example`)),
    'inside.example': jsonAnswer(INTERNAL),
    'endless.example': endlessAnswer(tenGigabytes),
    'pages.example': endlessPages,
    'html.example': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Not a list</title>'),
    'shrinking.example': jsonAnswer(shrinking),
    'slow.example': dripAnswer,
  };
  for (const [name, answer] of Object.entries(answers)) site.answers.set(name, answer);
  const source = (id: string, more: object = {}) => {
    return { type: 'json', id, url: site.urlOf(`${id}.example`), pauseSeconds: 0, ...more };
  };
  const settings = JSON.parse(readFileSync(home.settingsFile, 'utf8'));
  settings.domains.mostPerRegistrable = MAX_PER_REGISTRABLE;
  settings.sources = [
    source('slow', { maxMinutes: 0.05 }),
    source('endless', { maxBytes: 5_000_000 }),
    source('pages', { hosts: 'data.*', next: { by: 'cursor', path: 'next', parameter: 'cursor' }, maxPages: 25 }),
    source('flood'),
    source('inside'),
    source('html'),
    source('shrinking'),
    source('honest'),
  ];
  writeFileSync(home.settingsFile, JSON.stringify(settings));
  const crawl = async () => {
    const ended = await runCommand(['crawl', '--json', '--sources', 'all', '--config', home.settingsFile]);
    expect(ended.code, ended.stderr).toBe(0);
    const { sources } = JSON.parse(ended.stdout) as { sources: Report[] };
    return {
      ...ended,
      reportOf: (key: string) =>
        sources.find((report) => report.key === key) ?? expect.fail(`${key} is missing from the report`),
    };
  };

  const first = await crawl();
  expect(first.reportOf('honest')).toMatchObject({
    outcome: 'complete',
    accepted: HONEST,
    entered: HONEST,
    refused: 0,
  });
  expect(first.reportOf('flood')).toMatchObject({
    accepted: FLOOD,
    entered: MAX_PER_REGISTRABLE,
    cappedByDomain: FLOOD - MAX_PER_REGISTRABLE,
  });
  expect(first.reportOf('inside')).toMatchObject({ accepted: 0, entered: 0, refused: INTERNAL.length });
  expect(Object.keys(first.reportOf('inside').refusedByReason)).toContain('ip-literal');
  expect(first.reportOf('endless')).toMatchObject({ outcome: 'partial', entered: 5 });
  expect(first.reportOf('endless').bytes).toBeLessThan(6_000_000);
  expect(first.reportOf('endless').why).toMatch(/bytes|MB|MiB/);
  expect(first.reportOf('pages')).toMatchObject({ outcome: 'partial', entered: 25 });
  expect(first.reportOf('pages').why).toMatch(/25 pages/);
  expect(first.reportOf('html')).toMatchObject({ outcome: 'failed', lines: 0 });
  expect(first.reportOf('slow').outcome).toMatch(/partial|failed/);
  expect(first.reportOf('shrinking')).toMatchObject({ outcome: 'complete', entered: SHRINKING, shrunkFrom: null });
  expect(site.requests.filter((line) => line.includes(' pages.example /?cursor=')).length).toBeLessThan(26);

  const database = new Database(home.database, { readonly: true });
  const visited = new Set(
    database.prepare('select domain from domains where last_visit is not null').pluck().all() as string[],
  );
  const known = database.prepare('select count(*) from domains').pluck().get();
  expect(honest.filter((domain) => !visited.has(domain))).toEqual([]);
  // 5 hosts of `endless`, 25 of `pages`, all of `shrinking`, and what `slow` listed in time.
  expect(known).toBe(HONEST + MAX_PER_REGISTRABLE + 5 + 25 + SHRINKING + first.reportOf('slow').entered);
  database.close();

  // A list that shrinks by nine tenths is reported, and removes no domain.
  site.answers.set('shrinking.example', jsonAnswer(shrinking.slice(0, SHRINKING / 10)));
  const second = await crawl();
  expect(second.reportOf('shrinking')).toMatchObject({
    outcome: 'complete',
    accepted: SHRINKING / 10,
    entered: 0,
    known: SHRINKING / 10,
    shrunkFrom: SHRINKING,
  });
  expect(second.reportOf('honest')).toMatchObject({ entered: 0, known: HONEST });
  expect(second.stderr).not.toMatch(/at .*\.ts:\d+/);
});

interface Report {
  key: string;
  outcome: string;
  why: string | null;
  lines: number;
  bytes: number;
  entered: number;
  refusedByReason: Record<string, number>;
}
