import type { Clause } from '../../src/conform/clauses/clause.ts';
import { SERVER_CLAUSES } from '../../src/conform/clauses/clauses.ts';
import { CLIENT_CLAUSES } from '../../src/conform/clauses/client.ts';
import { SECTION_TITLES } from '../../src/conform/clauses/section-titles.ts';
import { STATEMENTS } from './statements.ts';

/** The text of docs/conform-clauses.md. */
export function clausesPage(): string {
  return `# The clauses of conform

What [conform](conform.md) tests, by the sections of the specification. \`loopscout conform --list\` prints the clauses about servers.

- [Servers](#servers)
- [Clients](#clients)
- [Coverage of the specification](#coverage-of-the-specification)

## Servers

${bySection(SERVER_CLAUSES)}
## Clients

${bySection(CLIENT_CLAUSES)}
## Coverage of the specification

Every sentence and table row of sections 2 to 9, with the clauses that test it, or why none can.

| section | statement | clauses |
| --- | --- | --- |
${STATEMENTS.map(
  ({ section, statement, clauses, untestable }) =>
    `| ${section} | ${statement} | ${untestable === null ? code(clauses) : `none: ${untestable}`} |\n`,
).join('')}`;
}

function bySection(clauses: readonly Clause[]): string {
  return [...Map.groupBy(clauses, ({ section }) => section)]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(
      ([section, rows]) => `### ${rows[0]?.subject === 'client' ? 'Clients: ' : ''}${section} ${SECTION_TITLES[section]}

| clause | level | statement |
| --- | --- | --- |
${rows.map(row).join('')}`,
    )
    .join('\n');
}

function row({ id, level, rfc, sentence, live }: Clause): string {
  const reference = rfc === undefined ? '' : ` (${rfc})`;
  return `| \`${id}\` | ${level} | ${sentence}${reference}${live === undefined ? '' : ` ${live.difference}`} |\n`;
}

function code(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(', ');
}
