import type { Finding } from '../../report.ts';
import type { ReportDifference } from '../../report-difference.ts';
import { findingLines, noteLines } from './finding-lines.ts';
import type { Paint } from './paint.ts';
import { wrapColumns } from './wrap-columns.ts';

/** What is another since the last look, for a terminal; empty when nothing is. */
export function differenceText(difference: ReportDifference, columns: number, paint: Paint): string {
  const width = Math.min(120, Math.max(40, columns));
  const { verdict, cured, broken, other, silent } = difference;
  const sections = [
    verdict === null ? [] : wrapColumns(`The verdict was ${verdict.from} and is ${verdict.to}.`, width),
    told(cured, 'Cured', width, paint),
    silent.map(({ id }) => `  - ${id}: no longer of concern, or another rule names the cause`),
    ...broken.map((finding) => findingLines(finding, width, paint)),
    told(other, 'Still wrong, in another way', width, paint),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function told(findings: readonly Finding[], title: string, width: number, paint: Paint): string[] {
  if (findings.length === 0) return [];
  return [paint(['bold'], title), ...findings.flatMap((finding) => noteLines(finding, width, paint))];
}
