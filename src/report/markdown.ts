import { MARKS } from './severity.ts';
import { counted, type TextBlock } from './text-blocks.ts';
import { type FindingView, findingsOf, type ReportView, tallyOf } from './view.ts';

/** A report to paste into an issue, a chat or a CI summary. Text from servers is escaped. */
export function reportMarkdown(view: ReportView): string {
  const { sign, word } = MARKS[view.headline.severity];
  const { facts, clients } = view;
  const parts = [
    `## ${sign} ${word}: ${escapeMarkdown(view.headline.text)}`,
    escapeMarkdown(view.summary),
    view.incomplete === null ? '' : `**Not every request was made:** ${escapeMarkdown(view.incomplete)}`,
    ...findingsOf(view, 'fail').map(findingMarkdown),
    ...findingsOf(view, 'warn').map(findingMarkdown),
    ...(facts === null ? [] : [`### ${facts.title}`, factsMarkdown(facts)]),
    ...(clients.rows.length === 0 ? [] : [`### ${clients.title}`, clientsMarkdown(clients)]),
    infosMarkdown(view),
    passesMarkdown(view),
    `<sub>${escapeMarkdown(view.generatedBy)}</sub>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function findingMarkdown({ id, severity, title, detail, cure }: FindingView): string {
  const { sign, word } = MARKS[severity];
  return [
    `### ${sign} ${word} \`${id}\``,
    `**Wanted:** ${escapeMarkdown(title)}`,
    `**Found:** ${detail.map(escapeMarkdown).join('\n\n')}`,
    ...(cure === null ? [] : [`**Cure:** ${cureMarkdown(cure)}`]),
  ].join('\n\n');
}

function cureMarkdown(cure: readonly TextBlock[]): string {
  // A code block cannot begin on the line of the label "Cure".
  return cure
    .map((block) => (block.kind === 'prose' ? escapeMarkdown(block.text) : codeBlock(block.lines)))
    .map((part, index) => (index === 0 && part.startsWith('`') ? `\n\n${part}` : part))
    .join('\n\n');
}

function factsMarkdown({ rows, absent }: NonNullable<ReportView['facts']>): string {
  return absent === null ? table(['fact', 'value'], rows) : `No facts: ${escapeMarkdown(absent)}.`;
}

function clientsMarkdown({ rows }: ReportView['clients']): string {
  return table(
    ['client', 'sees', 'why'],
    rows.map(({ name, sees, why }) => [name, sees, why]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  // A pipe ends a cell even inside code, so cells are escaped and contain no code.
  const line = (cells: readonly string[]) => `| ${cells.map(escapeProse).join(' | ')} |`;
  return [line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

function infosMarkdown(view: ReportView): string {
  const infos = findingsOf(view, 'info');
  if (infos.length === 0) return '';
  const items = infos.map(({ id, detail }) => `- \`${id}\`: ${escapeMarkdown(detail.join(' '))}`);
  return ['### Worth knowing', items.join('\n')].join('\n\n');
}

function passesMarkdown(view: ReportView): string {
  const passed = findingsOf(view, 'pass').length;
  if (passed === 0) return '';
  const items = view.groups
    .filter((group) => tallyOf(group).passed > 0)
    .map(({ name, findings }) => {
      const ids = findings.filter(({ severity }) => severity === 'pass').map(({ id }) => `\`${id}\``);
      return `- ${name}, ${ids.length} of ${findings.length}: ${ids.join(', ')}`;
    });
  const summary = `<summary>Passed: ${counted(passed, 'check')}</summary>`;
  return ['<details>', summary, '', items.join('\n'), '', '</details>'].join('\n');
}

/** Characters with a meaning inside a line of Markdown (CommonMark and GitHub), including HTML, entities and bare URLs. */
const INLINE = /[\\`*_[\]<>|~&$]|:(?=\/\/)|(?<=www)\./gi;
/** Characters that start a heading, a list item or a horizontal line, or turn the line above into a heading. */
const AT_START = /^(\s*)([#=+-]|\d{1,9}(?=[.)](?:\s|$)))/;
/** The place after the sign of a mention (`@user`) or reference (`#1`), which would notify someone. A word joiner there prevents it. */
const MENTION = /(?<=[@#])(?=\w)/g;
const WORD_JOINER = '\u2060';

/** A piece of code inside a line; no other backtick touches it. */
const CODE = /(?<!`)(`[^`]+`)(?!`)/;

/**
 * Escapes one line of untrusted text for Markdown: it shows as text, without links, images, mentions, HTML or blocks. Text between two
 * backticks is code and is not escaped.
 */
export function escapeMarkdown(text: string): string {
  const escaped = text.split(CODE).map((part, index) => (index % 2 === 1 ? part : escapeProse(part)));
  // After a number, the backslash escapes the dot: one before a digit would be shown.
  return escaped
    .join('')
    .replace(AT_START, (_all, space: string, sign: string) =>
      /\d/.test(sign) ? `${space}${sign}\\` : `${space}\\${sign}`,
    );
}

function escapeProse(text: string): string {
  return text.replace(INLINE, String.raw`\$&`).replace(MENTION, WORD_JOINER);
}

/** A code block, with a fence longer than any run of backticks in the lines. */
export function codeBlock(lines: readonly string[]): string {
  const longest = Math.max(2, ...(lines.join('\n').match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].join('\n');
}
