import type { Report } from '../../report.ts';
import { proseLine } from './blocks.ts';
import { counted } from './counted.ts';

/** What came of the check, and what it took. */
export function lookWords({ counts, requests, durationMs }: Report): string {
  const found = (['fail', 'warn', 'info', 'pass'] as const).map((severity) => `${counts[severity]} ${severity}`);
  const took = `${counted(requests, 'request', 'requests')} in ${(durationMs / 1_000).toFixed(1)} s`;
  return `${found.join(', ')}; ${took}`;
}

/** When it was, and by what. */
export function madeWords({ checkedAt, tool }: Report): string {
  return `Checked on ${checkedAt.slice(0, 10)} at ${checkedAt.slice(11, 16)} UTC by ${proseLine(tool, 60)}.`;
}
