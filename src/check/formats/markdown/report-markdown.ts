import type { Finding, Report } from '../../report.ts';
import { MARKS } from '../text/marks.ts';
import { AREA_NAMES } from '../told/areas.ts';
import { blocksOf, paragraphsOf, proseLine } from '../told/blocks.ts';
import { CLIENT_NAMES, seenWords } from '../told/client-words.ts';
import { counted } from '../told/counted.ts';
import { areaTallies, findingsOf } from '../told/findings-of.ts';
import { headlineOf, whyNot } from '../told/headline.ts';
import { lookWords, madeWords } from '../told/look-words.ts';
import { shownFacts } from '../told/shown-facts.ts';
import { codeBlock, escapeCell, escapeMarkdown } from './escape-markdown.ts';

/** A report to paste into an issue, a chat or the summary of a CI job; what servers say is text in it and nothing else. */
export function reportMarkdown(report: Report): string {
  const { severity, text } = headlineOf(report);
  const { sign, word } = MARKS[severity];
  const parts = [
    `## ${sign} ${word}: ${escapeMarkdown(text)}`,
    escapeMarkdown(lookWords(report)),
    report.cutShort === null || report.offline
      ? ''
      : `**Not all was asked:** ${escapeMarkdown(proseLine(report.cutShort))}`,
    ...findingsOf(report, 'fail').map(findingMarkdown),
    ...findingsOf(report, 'warn').map(findingMarkdown),
    ...(report.offline ? [] : ['### A directory will show', directoryMarkdown(report)]),
    ...(report.clients.length === 0 ? [] : ['### How clients see it', clientsMarkdown(report)]),
    infosMarkdown(report),
    passesMarkdown(report),
    `<sub>${escapeMarkdown(madeWords(report))}</sub>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function findingMarkdown({ id, severity, title, detail, cure }: Finding): string {
  const { sign, word } = MARKS[severity];
  return [
    `### ${sign} ${word} \`${id}\``,
    `**Wanted:** ${escapeMarkdown(proseLine(title, 300))}`,
    `**Found:** ${paragraphsOf(detail).map(escapeMarkdown).join('\n\n')}`,
    ...(cure === null ? [] : [`**Cure:** ${cureMarkdown(cure)}`]),
  ].join('\n\n');
}

function cureMarkdown(text: string): string {
  return blocksOf(text)
    .map((block) => (block.kind === 'prose' ? escapeMarkdown(block.text) : codeBlock(block.lines)))
    .map((part, index) => (index === 0 && part.startsWith('`') ? `\n\n${part}` : part))
    .join('\n\n');
}

function directoryMarkdown(report: Report): string {
  if (report.instance === null) return `Nothing: ${escapeMarkdown(whyNot(report))}.`;
  return table(['fact', 'value'], shownFacts(report.instance));
}

function clientsMarkdown({ clients }: Report): string {
  return table(
    ['client', 'sees', 'why'],
    clients.map((view) => [CLIENT_NAMES[view.client], seenWords(view), proseLine(view.why, 300)]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  return [line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

function infosMarkdown(report: Report): string {
  const infos = findingsOf(report, 'info');
  if (infos.length === 0) return '';
  const items = infos.map(({ id, detail }) => {
    return `- \`${id}\`: ${escapeMarkdown(paragraphsOf(detail).join(' '))}`;
  });
  return ['### Worth knowing', items.join('\n')].join('\n\n');
}

function passesMarkdown(report: Report): string {
  const tallies = areaTallies(report).filter(({ passed }) => passed > 0);
  if (tallies.length === 0) return '';
  const items = tallies.map(({ area, passed, judged }) => {
    const ids = findingsOf(report, 'pass').filter((finding) => finding.area === area);
    return `- ${AREA_NAMES[area]}, ${passed} of ${judged}: ${ids.map(({ id }) => `\`${id}\``).join(', ')}`;
  });
  const summary = `<summary>Passed: ${counted(report.counts.pass, 'check', 'checks')}</summary>`;
  return ['<details>', summary, '', items.join('\n'), '', '</details>'].join('\n');
}
