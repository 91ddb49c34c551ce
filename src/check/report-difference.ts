import type { Finding, Report } from './report.ts';

/** What is another than it was when the same server was checked before. */
export interface ReportDifference {
  /** Null when it is the same. */
  verdict: { from: Report['verdict']; to: Report['verdict'] } | null;
  /** Wrong before, and no longer. */
  cured: Finding[];
  /** Wrong now, and not before; or worse. */
  broken: Finding[];
  /** Wrong before and now, but not in the same way. */
  other: Finding[];
  /** Wrong before; its rule has nothing to say any more, as what it looks at is gone or another rule names the cause. */
  silent: Finding[];
}

const RANK = { pass: 0, info: 0, warn: 1, fail: 2 } as const;

export function reportDifference(before: Report, after: Report): ReportDifference {
  const past = new Map(before.findings.map((finding) => [finding.id, finding]));
  const difference: ReportDifference = {
    verdict: before.verdict === after.verdict ? null : { from: before.verdict, to: after.verdict },
    cured: [],
    broken: [],
    other: [],
    silent: [],
  };
  for (const finding of after.findings) {
    const earlier = past.get(finding.id);
    const [was, is] = [RANK[earlier?.severity ?? 'pass'], RANK[finding.severity]];
    if (is > was) difference.broken.push(finding);
    else if (was > 0 && is === 0) difference.cured.push(finding);
    else if (is > 0 && (is < was || earlier?.detail !== finding.detail)) difference.other.push(finding);
  }
  const judged = new Set(after.findings.map(({ id }) => id));
  difference.silent = before.findings.filter(({ id, severity }) => RANK[severity] > 0 && !judged.has(id));
  return difference;
}
