import { writeFileSync } from 'node:fs';

/** Preloaded into a measured process: writes its resource usage to the file that BENCH_USAGE_FILE names when it exits. */
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
