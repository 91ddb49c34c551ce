/**
 * `npm run bench -- import [CANDIDATES] [web|text|csv|json]`, by default 1,000,000 and web: cost of importing a large list. A
 * separate process imports a list of about 50 bytes per candidate, as JSON over HTTPS or as a file, into an empty database, without
 * visiting any domain. Prints time, memory compared with a process without sources, and the number of lines by result. A second
 * import must change nothing and send one conditional request besides robots.txt; in a third, the server ignores conditions.
 */
import { statSync } from 'node:fs';
import { contentOf } from './content-of.ts';
import { createImportBench, type ImportResult } from './import-bench.ts';
import { LIST_FORMATS } from './import-list.ts';

const candidates = Number(process.argv[2] ?? 1_000_000);
const format = LIST_FORMATS.find((name) => name === (process.argv[3] ?? 'web'));
if (format === undefined)
  throw new Error(`unknown list format ${process.argv[3]}; allowed: ${LIST_FORMATS.join(', ')}`);
const printLine = (line: string) => process.stdout.write(`${line}\n`);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

await using bench = await createImportBench(candidates, format);
printLine(`${candidates.toLocaleString('en')} candidates in a list of ${megabytes(bench.bytes)} MB (${format})`);
// Run twice, because the first run of a new version fills the compile cache.
await bench.baseline();
printResult('baseline without sources', await bench.baseline());
printResult('first import', await bench.importOnce());
const before = contentOf(bench.database, 1);
printLine(`  database ${megabytes(statSync(bench.database).size)} MB`);
printResult('second import', await bench.importOnce());
printChangedTables();
if (format === 'web') {
  bench.ignoreConditions();
  printResult('third import, conditions ignored', await bench.importOnce());
  printChangedTables();
}

function printResult(name: string, { ms, cpuMs, peakRssMB, reports, requests }: ImportResult): void {
  printLine(
    `${name}: ${(ms / 1_000).toFixed(1)} s, CPU ${(cpuMs / 1_000).toFixed(1)} s, peak memory ${peakRssMB.toFixed(0)} MB`,
  );
  for (const report of reports) printLine(`  ${JSON.stringify(report)}`);
  const described = requests.map(({ method, url, isConditional, status }) => {
    return `${method} ${url}${isConditional ? ' conditional' : ''}: ${status}`;
  });
  if (described.length > 0) printLine(`  requests: ${described.join(', ')}`);
}

function printChangedTables(): void {
  const after = contentOf(bench.database, 1);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
  printLine(changed.length === 0 ? '  no table changed except by the run itself' : `  CHANGED: ${changed.join(', ')}`);
}
