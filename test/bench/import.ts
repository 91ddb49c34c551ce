/**
 * What importing a large list takes. Run alone: node test/bench/import.ts [CANDIDATES, default 1000000] [web (default), text, csv or json]
 * One list of about 50 bytes a candidate, as JSON over HTTPS or as a file, read by a process of its own into an empty database: time, memory
 * beside that of a process that reads nothing, and what became of every line. Nothing is visited. Then again: nothing may change, for one
 * conditional request beside that of robots.txt; and once more of a server that takes no notice of conditions.
 */
import { statSync } from 'node:fs';
import { contentOf } from './content-of.ts';
import { LIST_FORMATS } from './import-list.ts';
import { createImportLists, type Imported } from './import-lists.ts';

const candidates = Number(process.argv[2] ?? 1_000_000);
const format = LIST_FORMATS.find((name) => name === (process.argv[3] ?? 'web'));
if (format === undefined)
  throw new Error(`no list is written as ${process.argv[3]}; there are: ${LIST_FORMATS.join(', ')}`);
const say = (line: string) => process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

await using lists = await createImportLists(candidates, format);
say(`${candidates.toLocaleString('en')} candidates in a list of ${megabytes(lists.bytes)} MB (${format})`);
// Twice, since the first of a new version compiles what it is made of.
await lists.rest();
tell('nothing to read', await lists.rest());
tell('first import', await lists.importOnce());
const before = contentOf(lists.database, 1);
say(`  database ${megabytes(statSync(lists.database).size)} MB`);
tell('second import', await lists.importOnce());
compare();
if (format === 'web') {
  lists.ignoreConditions();
  tell('third import, conditions ignored', await lists.importOnce());
  compare();
}

function tell(name: string, { ms, cpuMs, peakRssMB, reports, requests }: Imported): void {
  say(
    `${name}: ${(ms / 1_000).toFixed(1)} s, CPU ${(cpuMs / 1_000).toFixed(1)} s, peak memory ${peakRssMB.toFixed(0)} MB`,
  );
  for (const report of reports) say(`  ${JSON.stringify(report)}`);
  const described = requests.map(({ method, url, isConditional, status }) => {
    return `${method} ${url}${isConditional ? ' if changed' : ''}: ${status}`;
  });
  if (described.length > 0) say(`  requests: ${described.join(', ')}`);
}

function compare(): void {
  const after = contentOf(lists.database, 1);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  say(changed.length === 0 ? '  no table changed except by the run itself' : `  CHANGED: ${changed.join(', ')}`);
}
