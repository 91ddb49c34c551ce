import { writeFileSync } from 'node:fs';

/**
 * Preloaded into a measured process: writes its resource usage to the file that BENCH_USAGE_FILE names when it exits. With
 * BENCH_HOURS_AHEAD, the clock of the process is ahead.
 */
export interface Usage {
  cpuMs: number;
  wallMs: number;
  peakRssMB: number;
}

const { BENCH_USAGE_FILE: file, BENCH_HOURS_AHEAD: hoursAhead } = process.env;
if (hoursAhead !== undefined) {
  const now = Date.now;
  Date.now = () => now() + Number(hoursAhead) * 3_600_000;
}
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
