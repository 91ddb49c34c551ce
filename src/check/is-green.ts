import type { Report } from './report.ts';

/**
 * Whether nothing is wrong that counts: the server is one of the service and no finding is `fail`, nor `warn` where that counts
 * too. What the exit code and the badge say.
 */
export function isGreen({ verdict, counts }: Pick<Report, 'verdict' | 'counts'>, isStrict: boolean): boolean {
  return verdict === 'loops' && counts.fail === 0 && (!isStrict || counts.warn === 0);
}
