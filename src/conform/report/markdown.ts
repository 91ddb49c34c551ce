import { codeBlock, escapeMarkdown } from '../../report/markdown.ts';
import { MARKS } from '../../report/severity.ts';
import { counted } from '../../report/text-blocks.ts';
import type { Results, SentAndReceived } from '../results.ts';
import { type BrokenGroup, brokenGroups, conditions, headline, sectionResults, undecidedBy } from './groups.ts';

/** Results for the summary of a CI run. Text from servers is escaped. */
export function resultsMarkdown(results: Results): string {
  const { sign, word } = MARKS[results.isConformant ? 'pass' : 'fail'];
  const parts = [
    `## ${sign} ${word}: ${escapeMarkdown(headline(results))}`,
    escapeMarkdown(conditions(results)),
    ...brokenGroups(results).map(groupMarkdown),
    list(
      'Passed, but expected to fail',
      results.unexpectedPasses.map((id) => `\`${id}\``),
    ),
    list(
      'Not decided',
      undecidedBy(results).map(
        ({ why, verdict, ids }) => `${verdict}, ${escapeMarkdown(why)}: ${counted(ids.length, 'clause')}`,
      ),
    ),
    sectionsMarkdown(results),
    `<sub>${escapeMarkdown(results.tool)}</sub>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function groupMarkdown({ exchange, verdict, clauses }: BrokenGroup): string {
  const { sign, word } = MARKS[verdict === 'fail' ? 'fail' : 'warn'];
  const items = clauses.map(({ id, section, level, sentence, why, expected }) => {
    const known = expected === null ? '' : ` **Known failure:** ${escapeMarkdown(expected)}`;
    return `- \`${id}\` (section ${section}, ${level}): ${escapeMarkdown(sentence)} **Found:** ${escapeMarkdown(why ?? '')}.${known}`;
  });
  return [
    `### ${sign} ${word} ${escapeMarkdown(exchange?.request ?? '')}`,
    items.join('\n'),
    ...(exchange === null ? [] : [codeBlock(quoteLines(exchange))]),
  ].join('\n\n');
}

function quoteLines({ sent, received, curl }: SentAndReceived): string[] {
  const answer = received.split('\n');
  return curl === null ? [...(sent === null ? [] : [sent, '']), ...answer] : [...answer, '', curl];
}

function list(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : [`### ${title}`, items.map((item) => `- ${item}`).join('\n')].join('\n\n');
}

function sectionsMarkdown(results: Results): string {
  const rows = sectionResults(results).map(
    ({ section, title, clauses, counts }) =>
      `| ${section} ${title} | ${counts.pass} | ${counts.fail} | ${counts.warning} | ${clauses.length} |`,
  );
  return ['| section | passed | failed | warnings | clauses |', '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}
