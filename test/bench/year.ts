import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { checkHistory } from '../simulation/check-history.ts';
import { simulateYear } from '../simulation/simulate-year.ts';
import { visitsPerDay } from '../simulation/visits-per-day.ts';

/** `npm run bench -- year [hosts] [days] [seed]`: simulates a year of the service and prints the results. */
const hosts = Number(process.argv[2] ?? 10_000);
const days = Number(process.argv[3] ?? 365);
const seed = Number(process.argv[4] ?? 1);
const printLine = (line: string) => process.stdout.write(`${line}\n`);

using year = await simulateYear({ hosts, seed, days });
printLine(`${hosts} hosts, ${days} days, ${year.visits} visits in ${year.seconds.toFixed(0)} s`);
printLine('\nvisits per host and day, for undisrupted hosts: kind, hosts, actual, expected');
for (const { kind, hosts: count, perDay, expectedPerDay } of visitsPerDay(year, days))
  printLine(
    `  ${kind.padEnd(14)}${String(count).padStart(6)}${perDay.toFixed(4).padStart(10)}${expectedPerDay.toFixed(4).padStart(10)}`,
  );
printLine(
  `\nlongest delay: ${(year.longestDelayMs / 60_000).toFixed(1)} min (including the simulator's step of up to 10 min)`,
);
const { due, drainedMs, mostIn10Minutes } = year.afterDowntime;
printLine(
  `after three days of downtime: ${due} due, none after ${(drainedMs / 60_000).toFixed(1)} min, at most ${mostIn10Minutes} visits in 10 min`,
);
const { changes, differences } = checkHistory(year);
printLine(`history: ${changes} expected changes, ${differences.length} differences`);
for (const difference of differences.slice(0, 20)) printLine(`  ${difference}`);
printLine(
  `database: ${(year.bytes / 2 ** 20).toFixed(1)} MB, ${(year.bytes / hosts / (days / 365)).toFixed(0)} bytes per domain and year`,
);
const database = new Database(year.database, { readonly: true });
const tables = database
  .prepare('select name, sum(pgsize) as bytes from dbstat group by name order by bytes desc limit 15')
  .all() as { name: string; bytes: number }[];
for (const { name, bytes } of tables) printLine(`  ${name.padEnd(34)}${(bytes / 2 ** 20).toFixed(1).padStart(8)} MB`);
database.close();
printLine(
  `  write-ahead log: ${(statSync(`${year.database}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20} MB`,
);
if (differences.length > 0) process.exitCode = 1;
