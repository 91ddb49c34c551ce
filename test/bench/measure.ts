import { writeFileSync } from 'node:fs';

/** Preloaded into a process that is measured: at its end, what it used goes to the file named in BENCH_USAGE_FILE. */
export interface Usage {
  cpuMs: number;
  wallMs: number;
  peakRssMB: number;
}

const file = process.env.BENCH_USAGE_FILE;
const startedAt = performance.now();
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage: Usage = {
    cpuMs: (userCPUTime + systemCPUTime) / 1_000,
    wallMs: performance.now() - startedAt,
    peakRssMB: (maxRSS * 1_024) / 1e6,
  };
  if (file !== undefined) writeFileSync(file, JSON.stringify(usage));
});
