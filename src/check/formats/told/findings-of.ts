import type { Finding, Report } from '../../report.ts';
import { AREAS } from '../../rule.ts';
import type { Severity } from '../../severity.ts';

/** The findings of one severity, in the order of the report. */
export function findingsOf({ findings }: Pick<Report, 'findings'>, severity: Severity): Finding[] {
  return findings.filter((finding) => finding.severity === severity);
}

const WORST_FIRST = ['fail', 'warn', 'info', 'pass'] as const;

export interface AreaTally {
  area: Finding['area'];
  passed: number;
  judged: number;
  worst: Severity;
}

/** How many rules of each area passed, of those that had something to say. */
export function areaTallies({ findings }: Pick<Report, 'findings'>): AreaTally[] {
  return AREAS.map((area) => {
    const judged = findings.filter((finding) => finding.area === area);
    const passed = judged.filter(({ severity }) => severity === 'pass').length;
    const worst = WORST_FIRST.find((word) => judged.some(({ severity }) => severity === word)) ?? 'pass';
    return { area, judged: judged.length, passed, worst };
  }).filter(({ judged }) => judged > 0);
}
