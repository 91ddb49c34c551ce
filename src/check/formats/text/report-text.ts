import type { Report } from '../../report.ts';
import { AREA_NAMES } from '../told/areas.ts';
import { proseLine } from '../told/blocks.ts';

import { CLIENT_NAMES, seenWords } from '../told/client-words.ts';
import { counted } from '../told/counted.ts';
import { areaTallies, findingsOf } from '../told/findings-of.ts';
import { headlineOf, whyNot } from '../told/headline.ts';
import { lookWords, madeWords } from '../told/look-words.ts';
import { shownFacts } from '../told/shown-facts.ts';
import { findingLines, noteLines } from './finding-lines.ts';
import { MARKS } from './marks.ts';
import type { Paint } from './paint.ts';
import { wrapColumns } from './wrap-columns.ts';

const EXPLAINED = 'loopscout check --rule ID explains any of these.';
const UNCHANGED = 'Nothing was changed on the server.';

export interface ReportTextOptions {
  /** Of the terminal; fewer than 40 are taken for 40, more than 120 for 120. */
  columns: number;
  paint: Paint;
  /** Only what is wrong; nothing at all when nothing is. */
  quiet?: boolean;
}

/** A report for a person at a terminal; nothing of it is told by colour alone. Empty, or with a line feed at its end. */
export function reportText(report: Report, { columns, paint, quiet = false }: ReportTextOptions): string {
  const width = Math.min(120, Math.max(40, columns));
  const { severity } = headlineOf(report);
  if (quiet && (severity === 'pass' || severity === 'info')) return '';
  const wrong = [...wrongLines(report, 'fail', width, paint), ...wrongLines(report, 'warn', width, paint)];
  const sections = quiet
    ? [headLines(report, width, paint), ...wrong]
    : [
        headLines(report, width, paint),
        directoryLines(report, width, paint),
        clientLines(report, width, paint),
        ...wrong,
        infoLines(report, width, paint),
        passLines(report, paint),
        closingLines(report, width),
      ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The verdict in one strong line, and what the check was. */
export function headLines(report: Report, width: number, paint: Paint): string[] {
  const { severity, text } = headlineOf(report);
  const { sign, word, tag } = MARKS[severity];
  const mark = `${sign} ${word}`;
  const [first = '', ...more] = wrapColumns(text, width, `${mark}  `);
  const indent = '        ';
  const cut =
    report.cutShort === null || report.offline
      ? []
      : wrapColumns(`Not all was asked: ${proseLine(report.cutShort)}`, width, indent);
  return [
    `${paint(tag, mark)}  ${paint(['bold'], first.slice(mark.length + 2))}`,
    ...more.map((line) => paint(['bold'], line)),
    ...wrapColumns(lookWords(report), width, indent),
    ...cut.map((line) => paint(['bold'], line)),
  ];
}

function directoryLines(report: Report, width: number, paint: Paint): string[] {
  const { instance } = report;
  if (report.offline) return [];
  const title = paint(['bold'], 'A directory will show');
  if (instance === null) return [title, ...wrapColumns(`nothing: ${whyNot(report)}`, width, '  ')];
  return [
    title,
    ...shownFacts(instance).flatMap(([label, value]) => wrapColumns(value, width, `  ${label.padEnd(14)}`)),
  ];
}

function clientLines({ clients }: Report, width: number, paint: Paint): string[] {
  if (clients.length === 0) return [];
  const longest = Math.max(...clients.map(({ client }) => CLIENT_NAMES[client].length));
  const lines = clients.flatMap((view) => {
    const { sign, looks } = view.sees === 'service' ? MARKS.pass : MARKS.warn;
    const words = view.sees === 'service' ? seenWords(view) : `${seenWords(view)}: ${proseLine(view.why, 300)}`;
    const name = CLIENT_NAMES[view.client];
    const isNarrow = width < 60;
    const lead = isNarrow ? '      ' : `  ${sign} ${name.padEnd(longest)}  `;
    const [first = '', ...more] = wrapColumns(words, width, lead);
    const painted = (line: string) => line.replace(sign, () => paint(looks, sign));
    return isNarrow ? [painted(`  ${sign} ${name}`), first, ...more] : [painted(first), ...more];
  });
  return [paint(['bold'], 'How clients see it'), ...lines];
}

/** One section a finding, so that an empty line stands between two. */
function wrongLines(report: Report, severity: 'fail' | 'warn', width: number, paint: Paint): string[][] {
  return findingsOf(report, severity).map((finding) => findingLines(finding, width, paint));
}

function infoLines(report: Report, width: number, paint: Paint): string[] {
  const infos = findingsOf(report, 'info');
  return infos.length === 0
    ? []
    : [paint(['bold'], 'Worth knowing'), ...infos.flatMap((finding) => noteLines(finding, width, paint))];
}

function passLines(report: Report, paint: Paint): string[] {
  const tallies = areaTallies(report);
  if (tallies.length === 0) return [];
  const longest = Math.max(...tallies.map(({ area }) => AREA_NAMES[area].length));
  const lines = tallies.map(({ area, passed, judged, worst }) => {
    const { sign, looks } = MARKS[worst];
    return `  ${paint(looks, sign)} ${AREA_NAMES[area].padEnd(longest)}  ${passed} of ${judged}`;
  });
  return [
    paint(['bold'], `Passed: ${report.counts.pass} of ${counted(report.findings.length, 'check', 'checks')}`),
    ...lines,
  ];
}

function closingLines(report: Report, width: number): string[] {
  const isWrong = report.counts.fail + report.counts.warn > 0;
  const made = `${madeWords(report)} ${UNCHANGED}`;
  return [...(isWrong ? wrapColumns(EXPLAINED, width) : []), ...wrapColumns(made, width)];
}
