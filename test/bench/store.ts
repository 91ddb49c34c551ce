/** `npm run bench -- store [DOMAINS] [picks]`, by default 1,000,000: speed and size of the store, in one process; with `picks`, only of picks. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import type { Domain } from '../../src/model/domain/domain.ts';
import type { PickedDomain } from '../../src/store/domains/pick-domains.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { candidates, readOnce } from '../store/sample-source.ts';
import { loopsVisit, recordedVisit, sampleDomains, unreachableVisit } from '../store/sample-visit.ts';

const total = Number(process.argv[2] ?? 1_000_000);
// As in a crawl.
const batch = 256;
const printLine = (line: string) => process.stdout.write(`${line}\n`);
const rate = (count: number, ms: number) => Math.round((count / ms) * 1_000).toLocaleString('en');
const quantile = (times: number[], share: number) =>
  ([...times].sort((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2);
const encoder = new TextEncoder();

function measureTime<Result>(work: () => Result): { ms: number; result: Result } {
  const start = performance.now();
  const result = work();
  return { ms: performance.now() - start, result };
}

/** Enters domains in batches, like a streamed source. */
function enterAll(store: Store, count: number): void {
  const size = 10_000;
  let slowest = 0;
  const { ms } = measureTime(() => {
    for (let start = 0; start < count; start += size) {
      const domains = sampleDomains(Math.min(size, count - start), start);
      slowest = Math.max(slowest, measureTime(() => store.domains.enter(domains, 1)).ms);
    }
  });
  printLine(`enter: ${rate(count, ms)} domains/s; the slowest batch of ${size} took ${slowest.toFixed(0)} ms`);
}

/** Gives every domain an earlier visit and a random due time, as after months of crawling, so that each visit touches different pages. */
function scatterDueTimes(path: string): void {
  const sqlite = new SqliteDatabase(path);
  sqlite.exec(
    `update domains set last_visit = 1, priority = 4, next_visit = abs(random()) % 9000000;
    update domains set queue_order = next_visit; pragma wal_checkpoint(truncate)`,
  );
  sqlite.close();
}

/** For each verdict, a function that creates a visit with it. */
const visitOf = {
  unreachable: unreachableVisit,
  other: (domain: Domain, at: number) =>
    loopsVisit(domain, at, { verdict: 'other', via: 'nodeinfo', software: 'mastodon', facts: null }),
  /** Its document differs from that of every other instance. */
  loops: (domain: Domain, at: number) => {
    const config = JSON.stringify({ app: { software: 'loops', name: domain } });
    return loopsVisit(domain, at, { documents: { config: encoder.encode(config) } });
  },
};

function visitMany(store: Store, known: number, visits: number): void {
  for (const [verdict, createVisit] of Object.entries(visitOf)) {
    const pickMs: number[] = [];
    const recordMs: number[] = [];
    const at = 10_000_000;
    let done = 0;
    const cpu = process.cpuUsage();
    const { ms } = measureTime(() => {
      while (done < visits) {
        const picked = measureTime(() => store.due.pick(batch, at));
        if (picked.result.length === 0) break;
        const results = picked.result.map((one) => recordedVisit(one, at, createVisit(one.record.domain, at)));
        const record = measureTime(() => store.visits.record(results));
        pickMs.push(picked.ms);
        recordMs.push(record.ms);
        done += results.length - record.result.length;
      }
    });
    const { user, system } = process.cpuUsage(cpu);
    printLine(
      `${known.toLocaleString('en')} known: ${rate(done, ms)} visits/s with the verdict ${verdict}, ` +
        `${((user + system) / 1_000 / done).toFixed(3)} ms CPU a visit, picked and recorded in batches of ${batch}; ` +
        `pick ${quantile(pickMs, 0.5)} ms (99 %: ${quantile(pickMs, 0.99)}, worst ${quantile(pickMs, 1)}); ` +
        `record ${quantile(recordMs, 0.5)} ms (99 %: ${quantile(recordMs, 0.99)}, worst ${quantile(recordMs, 1)})`,
    );
  }
}

/** Measures picks of 500 while every priority has due domains. Half of the domains are new, from 20 sources; the others are due again. */
async function measurePicks(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
  const path = join(folder, 'store.sqlite');
  try {
    await using store = await openStore({ path });
    enterAll(store, count / 2);
    const sqlite = new SqliteDatabase(path);
    sqlite.exec(`
      update domains set last_visit = 1, next_visit = abs(random()) % 9000000, priority = iif(id % 2 = 0, 1, 4),
        state = iif(id % 20 = 0, 'dead', 'active'), identified_as = iif(id % 2 = 0, 'loops', 'other');
      update domains set queue_order = next_visit;
      pragma wal_checkpoint(truncate)`);
    sqlite.close();
    const perSource = count / 40;
    const { ms } = measureTime(() => {
      for (let source = 0; source < 20; source += 1) {
        const listedDomains = candidates(
          sampleDomains(perSource, count + source * perSource),
          source % 4 === 0 ? 'loops' : null,
        );
        readOnce(store, `source ${source}`, listedDomains, 2);
      }
    });
    printLine(`enter from 20 sources: ${rate(count / 2, ms)} domains/s`);
    const [wall, cpu]: [number[], number[]] = [[], []];
    const taken: PickedDomain[] = [];
    for (let round = 0; round < 400; round += 1) {
      const before = process.cpuUsage();
      const { ms: durationMs, result } = measureTime(() => store.due.pick(500, 10_000_000));
      const { user, system } = process.cpuUsage(before);
      if (result.length !== 500) throw new Error(`only ${result.length} of 500 were picked`);
      wall.push(durationMs);
      cpu.push((user + system) / 1_000);
      taken.push(...result);
      if (round % 10 === 9) store.due.release(taken.splice(0));
    }
    const figures = (times: number[]) =>
      `${quantile(times, 0.5)} ms (99 %: ${quantile(times, 0.99)}, worst ${quantile(times, 1)})`;
    printLine(`${count.toLocaleString('en')} known: pick of 500 in ${figures(wall)}, CPU ${figures(cpu)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-bench-'));
  const path = join(folder, 'store.sqlite');
  try {
    {
      await using store = await openStore({ path });
      enterAll(store, count);
      scatterDueTimes(path);
      visitMany(store, count, Math.min(count / 4, 20_000));
      const idle = measureTime(() => store.due.pick(64, 0));
      printLine(`pick when nothing is due: ${idle.ms.toFixed(2)} ms`);
      using reader = store.reader();
      const counts = measureTime(() => reader.domains.counts(1_000));
      printLine(`counts: ${counts.ms.toFixed(0)} ms (${counts.result.domains} domains, ${counts.result.due} due)`);
      const all = measureTime(() => {
        let rows = 0;
        for (const _ of reader.domains.all()) rows += 1;
        return rows;
      });
      const listed = measureTime(() => [...reader.instances.listed(1_000)].length);
      printLine(`domains(): ${rate(all.result, all.ms)} rows/s; instances(): ${rate(listed.result, listed.ms)} rows/s`);
    }
    printLine(
      `file: ${(statSync(path).size / 1e6).toFixed(1)} MB, ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB resident`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[3] !== 'picks') {
  await measure(10_000);
  await measure(total);
}
await measurePicks(total);
