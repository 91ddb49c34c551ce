/**
 * Time and memory of an export: `node test/bench/export.ts [DOMAINS...]`. Each size runs in a process of its own, over
 * rows made on the fly, so that the memory is the export's alone: once into an empty folder, then again unchanged.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportAll } from '../../src/export/export-all.ts';
import { generatedSource } from '../export/generated-source.ts';

const INSTANCES = 10_000;
const MEASURE = '--measure';

async function measure(domains: number): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'loopscout-bench-'));
  const peakMB = () => process.resourceUsage().maxRSS / 1024;
  const idle = peakMB();
  const seconds: number[] = [];
  const options = { source: generatedSource(domains, INSTANCES, 1), dir, toolVersion: '1.0.0' };
  try {
    for (const now of [1, 2]) {
      const start = performance.now();
      await exportAll({ ...options, now: () => now });
      seconds.push((performance.now() - start) / 1000);
    }
    const megabytes = (await stat(join(dir, 'domains.ndjson'))).size / 1e6;
    const cells = [
      domains,
      megabytes.toFixed(0),
      ...seconds.map((s) => s.toFixed(2)),
      idle.toFixed(0),
      peakMB().toFixed(0),
    ];
    return cells.map((cell) => String(cell).padStart(14)).join('');
  } finally {
    await rm(dir, { recursive: true });
  }
}

const sizes = process.argv.slice(2);
if (sizes[0] === MEASURE) {
  process.stdout.write(`${await measure(Number(sizes[1]))}\n`);
} else {
  const heads = ['domains', 'ndjson MB', 'write s', 'unchanged s', 'idle RSS MB', 'peak RSS MB'];
  process.stdout.write(`${heads.map((head) => head.padStart(14)).join('')}\n`);
  for (const size of sizes.length > 0 ? sizes : ['10000', '100000', '1000000']) {
    process.stdout.write(execFileSync(process.execPath, [import.meta.filename, MEASURE, size]));
  }
}
