import { type Paint, wrapLines } from '../model/text/terminal-text.ts';
import type { ReportDifference } from './difference.ts';
import { MARKS } from './severity.ts';
import { counted, type TextBlock } from './text-blocks.ts';
import { allFindings, type FindingView, findingsOf, type ReportView, tallyOf } from './view.ts';

/** Indent of lines to paste: short, so that fewer lines wrap. */
const PASTE_INDENT = '    ';

export interface ReportTextOptions {
  /** Width of the terminal, clamped to 40 to 120. */
  columns: number;
  paint: Paint;
  /** Prints only the headline and the faults, and nothing when the headline has the severity pass or info. */
  quiet?: boolean;
}

/** A report for the terminal; colour adds no information. The text is empty, or ends with a line feed. */
export function reportText(view: ReportView, { columns, paint, quiet = false }: ReportTextOptions): string {
  const { severity } = view.headline;
  if (quiet && (severity === 'pass' || severity === 'info')) return '';
  const width = widthIn(columns);
  // One section per finding, so that an empty line separates them.
  const faultSections = (['fail', 'warn'] as const).flatMap((each) =>
    findingsOf(view, each).map((finding) => findingLines(finding, width, paint)),
  );
  const head = headLines(view, width, paint);
  const sections = quiet
    ? [head, ...faultSections]
    : [
        head,
        factLines(view, width, paint),
        clientLines(view, width, paint),
        ...faultSections,
        infoLines(view, width, paint),
        passLines(view, paint),
        [
          ...(faultSections.length > 0 ? wrapLines(view.hint, width) : []),
          ...wrapLines(`${view.generatedBy} ${view.effect}`, width),
        ],
      ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The changes since an earlier report, for the terminal; empty when there are none. */
export function differenceText(difference: ReportDifference, columns: number, paint: Paint): string {
  const width = widthIn(columns);
  const { verdict, cured, broken, other, silent } = difference;
  const titled = (title: string, findings: readonly FindingView[]) =>
    findings.length === 0
      ? []
      : [paint(['bold'], title), ...findings.flatMap((finding) => noteLines(finding, width, paint))];
  const sections = [
    verdict === null ? [] : wrapLines(`The verdict was ${verdict.from} and is ${verdict.to}.`, width),
    titled('Cured', cured),
    silent.map(({ id }) => `  - ${id}: no longer of concern, or another rule names the cause`),
    ...broken.map((finding) => findingLines(finding, width, paint)),
    titled('Still wrong, in another way', other),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** The headline, the summary, and whether the report is incomplete. */
export function headLines(view: ReportView, width: number, paint: Paint): string[] {
  const { severity, text } = view.headline;
  const { sign, word, labelStyle } = MARKS[severity];
  const mark = `${sign} ${word}`;
  const [first = '', ...more] = wrapLines(text, width, { first: `${mark}  ` });
  const indented = { first: '        ' };
  const missed =
    view.incomplete === null ? [] : wrapLines(`Not every request was made: ${view.incomplete}`, width, indented);
  return [
    `${paint(labelStyle, mark)}  ${paint(['bold'], first.slice(mark.length + 2))}`,
    ...more.map((line) => paint(['bold'], line)),
    ...wrapLines(view.summary, width, indented),
    ...missed.map((line) => paint(['bold'], line)),
  ];
}

function widthIn(columns: number): number {
  return Math.min(120, Math.max(40, columns));
}

function factLines({ facts }: ReportView, width: number, paint: Paint): string[] {
  if (facts === null) return [];
  const { title, rows, absent } = facts;
  const lines =
    absent === null
      ? rows.flatMap(([label, value]) => wrapLines(value, width, { first: `  ${label.padEnd(14)}` }))
      : wrapLines(`nothing: ${absent}`, width, { first: '  ' });
  return [paint(['bold'], title), ...lines];
}

function clientLines({ clients: { title, rows } }: ReportView, width: number, paint: Paint): string[] {
  if (rows.length === 0) return [];
  const longest = Math.max(...rows.map(({ name }) => name.length));
  const isNarrow = width < 60;
  const lines = rows.flatMap(({ name, isRight, sees, why }) => {
    const { sign, signStyle } = isRight ? MARKS.pass : MARKS.warn;
    const lead = isNarrow ? '      ' : `  ${sign} ${name.padEnd(longest)}  `;
    const [first = '', ...more] = wrapLines(isRight ? sees : `${sees}: ${why}`, width, { first: lead });
    const painted = (line: string) => line.replace(sign, () => paint(signStyle, sign));
    return isNarrow ? [painted(`  ${sign} ${name}`), first, ...more] : [painted(first), ...more];
  });
  return [paint(['bold'], title), ...lines];
}

function infoLines(view: ReportView, width: number, paint: Paint): string[] {
  const infos = findingsOf(view, 'info');
  return infos.length === 0
    ? []
    : [paint(['bold'], 'Worth knowing'), ...infos.flatMap((finding) => noteLines(finding, width, paint))];
}

function passLines(view: ReportView, paint: Paint): string[] {
  const groups = view.groups.filter(({ findings }) => findings.length > 0);
  if (groups.length === 0) return [];
  const longest = Math.max(...groups.map(({ name }) => name.length));
  const lines = groups.map((group) => {
    const { passed, worst } = tallyOf(group);
    const { sign, signStyle } = MARKS[worst];
    return `  ${paint(signStyle, sign)} ${group.name.padEnd(longest)}  ${passed} of ${group.findings.length}`;
  });
  const passed = findingsOf(view, 'pass').length;
  return [paint(['bold'], `Passed: ${passed} of ${counted(allFindings(view).length, 'check')}`), ...lines];
}

/** A finding to cure: wanted, found, cure. */
function findingLines({ id, severity, title, detail, cure }: FindingView, columns: number, paint: Paint): string[] {
  const { sign, word, labelStyle } = MARKS[severity];
  const labelled = (label: string, blocks: readonly TextBlock[]) =>
    blockLines(`  ${label.padEnd(8)}`, blocks, columns, paint);
  return [
    `${paint(labelStyle, `${sign} ${word}`)}  ${paint(['bold'], id)}`,
    ...labelled('wanted', prose([title])),
    ...labelled('found', prose(detail)),
    ...labelled('cure', cure ?? []),
  ];
}

/** A finding in brief: its id and detail, without a cure. */
function noteLines({ id, severity, detail }: FindingView, columns: number, paint: Paint): string[] {
  const { sign, signStyle } = MARKS[severity];
  const [first = '', ...more] = wrapLines(`${id}: ${detail.join(' ')}`, columns - 4).map((line) => `    ${line}`);
  const painted = first.startsWith(`    ${id}:`) ? first.replace(id, () => paint(['bold'], id)) : first;
  return [`  ${paint(signStyle, sign)} ${painted.trimStart()}`, ...more];
}

function prose(paragraphs: readonly string[]): TextBlock[] {
  return paragraphs.map((text) => ({ kind: 'prose', text }));
}

/** Paragraphs and lines to paste, the first after `lead`, the other paragraphs at the same indent. */
function blockLines(lead: string, blocks: readonly TextBlock[], columns: number, paint: Paint): string[] {
  return blocks.flatMap((block, index) => {
    if (block.kind === 'paste') {
      const lines = block.lines.map((line) => (line === '' ? '' : `${PASTE_INDENT}${paint(['cyan'], line)}`));
      return [index === 0 ? lead.trimEnd() : '', ...lines, ...(index === blocks.length - 1 ? [] : [''])];
    }
    return wrapLines(block.text, columns, { first: index === 0 ? lead : ' '.repeat(lead.length) });
  });
}
