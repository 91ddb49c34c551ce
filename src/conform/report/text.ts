import { MARKS, type Severity } from '../../report/severity.ts';
import { proseLine, wrapLines } from '../../report/text-blocks.ts';
import type { ClauseResult, ClauseVerdict, Results } from '../results.ts';
import { type BrokenGroup, brokenGroups, conditions, headline, sectionResults, undecidedBy } from './groups.ts';

type Paint = (styles: (typeof MARKS)['fail']['labelStyle'], text: string) => string;

export interface TextOptions {
  /** Width of the terminal, clamped to 40 to 120. */
  columns: number;
  paint: Paint;
  /** Prints only what is wrong. */
  quiet: boolean;
}

const SEVERITIES: Readonly<Record<ClauseVerdict, Severity>> = {
  fail: 'fail',
  warning: 'warn',
  pass: 'pass',
  'not shown': 'info',
  skipped: 'info',
};

/** If more clauses have the same reason, only two examples are listed. */
const MAX_IDS = 4;

/** Results for the terminal; colour adds no information. Empty, or ends with a line feed. */
export function resultsText(results: Results, { columns, paint, quiet }: TextOptions): string {
  const width = Math.min(120, Math.max(40, columns));
  const groups = brokenGroups(results);
  const isGreen = results.isConformant && results.isDecided && groups.length === 0;
  if (quiet && isGreen) return '';
  if (!results.isReached) return unreachedText(results, width, paint);
  const sections = [
    headLines(results, width, paint),
    ...groups.map((group) => groupLines(group, width, paint)),
    unexpectedLines(results, width, paint),
    ...(quiet ? [] : [undecidedLines(results, width, paint), sectionLines(results, paint)]),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function headLines(results: Results, width: number, paint: Paint): string[] {
  const { sign, word, labelStyle } = MARKS[results.isConformant && results.isDecided ? 'pass' : 'fail'];
  const mark = `${sign} ${word}`;
  const [first = '', ...more] = wrapLines(headline(results), width, { first: `${mark}  ` });
  return [
    `${paint(labelStyle, mark)}  ${paint(['bold'], first.slice(mark.length + 2))}`,
    ...more.map((line) => paint(['bold'], line)),
    ...wrapLines(conditions(results), width, { first: '        ' }),
  ];
}

function unreachedText(results: Results, width: number, paint: Paint): string {
  const { clauses } = results;
  const decisive =
    clauses.find(({ verdict }) => verdict === 'fail') ?? clauses.find(({ isUnanswered }) => isUnanswered);
  const why = decisive?.why ?? 'no request was sent';
  const advice = {
    server: `Nothing was judged: ${why}. Check the URL, and that the server runs and this machine reaches it. If its certificate comes from your own authority, name the file of the authority in NODE_EXTRA_CA_CERTS.`,
    client:
      'Nothing was judged. Check that the client uses the URL of the scenario. If it needs more time, set it with --for.',
  }[results.subject];
  return `${[...headLines(results, width, paint), ...wrapLines(advice, width, { first: '        ' })].join('\n')}\n`;
}

function groupLines({ exchange, verdict, clauses }: BrokenGroup, width: number, paint: Paint): string[] {
  const { sign, word, labelStyle } = MARKS[SEVERITIES[verdict]];
  const labelled = (label: string, text: string) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        wrapLines(proseLine(line, 240), width, { first: `  ${(index === 0 ? label : '').padEnd(10)}` }),
      );
  const title = proseLine(exchange?.request ?? 'no request', 400);
  return [
    ...wrapLines(title, width, { first: `${sign} ${word}  ` }).map((line) =>
      line.replace(`${sign} ${word}`, () => paint(labelStyle, `${sign} ${word}`)),
    ),
    ...(exchange?.sent == null ? [] : labelled('sent', exchange.sent)),
    ...(exchange === null ? [] : labelled('received', exchange.received)),
    ...clauses.flatMap((clause) => clauseLines(clause, width, paint)),
    ...(exchange?.curl == null ? [] : ['  to repeat this:', `    ${paint(['cyan'], proseLine(exchange.curl, 4_000))}`]),
  ];
}

function clauseLines(clause: ClauseResult, width: number, paint: Paint): string[] {
  const { sign, signStyle } = MARKS[SEVERITIES[clause.verdict]];
  const reference = `section ${clause.section}${clause.rfc === null ? '' : `, ${clause.rfc}`}, ${clause.level}`;
  const [head = '', ...more] = wrapLines(`${clause.id} (${reference})`, width, {
    first: `  ${sign} `,
    keepsWords: true,
  });
  const details = [
    clause.sentence,
    `Found: ${clause.why}.`,
    ...(clause.difference === null ? [] : [`Known: ${clause.difference}`]),
    ...(clause.expected === null ? [] : [`Expected: ${clause.expected}`]),
  ];
  return [
    head.replace(sign, () => paint(signStyle, sign)).replace(clause.id, () => paint(['bold'], clause.id)),
    ...more,
    ...details.flatMap((text) => wrapLines(proseLine(text, 600), width, { first: '    ' })),
  ];
}

function unexpectedLines({ unexpectedPasses }: Results, width: number, paint: Paint): string[] {
  if (unexpectedPasses.length === 0) return [];
  return [
    paint(['bold'], 'Passed, but expected to fail: remove them from the file of expected failures'),
    ...unexpectedPasses.flatMap((id) => wrapLines(id, width, { first: '  ' })),
  ];
}

function undecidedLines(results: Results, width: number, paint: Paint): string[] {
  const reasons = undecidedBy(results);
  if (reasons.length === 0) return [];
  const lines = reasons.flatMap(({ why, verdict, ids }) => {
    const named = ids.slice(0, MAX_IDS).join(', ');
    const which = ids.length <= MAX_IDS ? named : `${ids.length} clauses, such as ${ids.slice(0, 2).join(' and ')}`;
    return wrapLines(`${verdict}: ${proseLine(why, 300)}: ${which}`, width, { first: '  - ', indent: '    ' });
  });
  return [paint(['bold'], 'Not decided'), ...lines];
}

function sectionLines(results: Results, paint: Paint): string[] {
  const sections = sectionResults(results);
  const longest = Math.max(...sections.map(({ title }) => title.length));
  return [
    paint(['bold'], 'Passed'),
    ...sections.map(({ section, title, clauses, counts, worst }) => {
      const { sign, signStyle } = MARKS[SEVERITIES[worst]];
      return `  ${paint(signStyle, sign)} ${section.padEnd(4)} ${title.padEnd(longest)}  ${counts.pass} of ${clauses.length}`;
    }),
  ];
}
