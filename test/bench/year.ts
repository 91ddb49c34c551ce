import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { checkHistory } from '../simulation/check-history.ts';
import { simulateYear } from '../simulation/simulate-year.ts';
import { visitsPerDay } from '../simulation/visits-per-day.ts';

/** `npm run bench -- year [hosts] [days] [seed]`: a simulated year of the service, and what came of it. */
const hosts = Number(process.argv[2] ?? 10_000);
const days = Number(process.argv[3] ?? 365);
const seed = Number(process.argv[4] ?? 1);
const say = (line: string) => process.stdout.write(`${line}\n`);

using year = await simulateYear({ hosts, seed, days });
say(`${hosts} hosts, ${days} days, ${year.visits} visits in ${year.seconds.toFixed(0)} s`);
say('\nvisits per host and day, of hosts without trouble: class, hosts, seen, by the table');
for (const { kind, hosts: count, perDay, expectedPerDay } of visitsPerDay(year, days))
  say(
    `  ${kind.padEnd(14)}${String(count).padStart(6)}${perDay.toFixed(4).padStart(10)}${expectedPerDay.toFixed(4).padStart(10)}`,
  );
say(`\nlongest lateness: ${(year.longestLateMs / 60_000).toFixed(1)} min (of which up to 10 are the simulator's step)`);
const { due, drainedMs, mostIn10Minutes } = year.afterDowntime;
say(
  `after three days of our own downtime: ${due} due, none after ${(drainedMs / 60_000).toFixed(1)} min, ${mostIn10Minutes} visits at most in 10 min`,
);
const { changes, differences } = checkHistory(year);
say(`history: ${changes} changes by the world's log, ${differences.length} differences`);
for (const difference of differences.slice(0, 20)) say(`  ${difference}`);
say(
  `database: ${(year.bytes / 2 ** 20).toFixed(1)} MB, ${(year.bytes / hosts / (days / 365)).toFixed(0)} bytes a domain-year`,
);
const database = new Database(year.database, { readonly: true });
const tables = database
  .prepare('select name, sum(pgsize) as bytes from dbstat group by name order by bytes desc limit 15')
  .all() as { name: string; bytes: number }[];
for (const { name, bytes } of tables) say(`  ${name.padEnd(34)}${(bytes / 2 ** 20).toFixed(1).padStart(8)} MB`);
database.close();
say(`  log: ${(statSync(`${year.database}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20} MB`);
if (differences.length > 0) process.exitCode = 1;
