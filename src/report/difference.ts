import { isDeepStrictEqual } from 'node:util';
import { allFindings, type FindingView, type ReportView } from './view.ts';

/** What changed between two reports on the same subject. */
export interface ReportDifference {
  /** Null when it has not changed. */
  verdict: { from: string; to: string } | null;
  /** Findings with a problem before, and none now. */
  cured: FindingView[];
  /** Findings with a problem now, and none or a lesser one before. */
  broken: FindingView[];
  /** Findings with a problem before and now, which has changed but is not worse. */
  other: FindingView[];
  /** Findings with a problem before, whose rule reports nothing now: the subject of the rule is gone, or another rule names the cause. */
  silent: FindingView[];
}

const RANK = { pass: 0, info: 0, warn: 1, fail: 2 } as const;

export function reportDifference(before: ReportView, after: ReportView): ReportDifference {
  const past = new Map(allFindings(before).map((finding) => [finding.id, finding]));
  const [from, to] = [before.verdict.word, after.verdict.word];
  const difference: ReportDifference = {
    verdict: from === to ? null : { from, to },
    cured: [],
    broken: [],
    other: [],
    silent: [],
  };
  for (const finding of allFindings(after)) {
    const earlier = past.get(finding.id);
    past.delete(finding.id);
    const [was, is] = [RANK[earlier?.severity ?? 'pass'], RANK[finding.severity]];
    if (is > was) difference.broken.push(finding);
    else if (was > 0 && is === 0) difference.cured.push(finding);
    else if (is > 0 && (is < was || !isDeepStrictEqual(earlier?.detail, finding.detail)))
      difference.other.push(finding);
  }
  difference.silent = [...past.values()].filter(({ severity }) => RANK[severity] > 0);
  return difference;
}
