import { html } from 'ghtml';
import type { ClauseResult, ClauseVerdict, Results, SentAndReceived } from '../results.ts';
import { conditions, headline, nameOf, type SectionResult, sectionResults } from './groups.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8886; --fail: #b3261e; --warning: #8a5a00; --pass: #1b6e3c; }
@media (prefers-color-scheme: dark) { :root { --fail: #ff8a80; --warning: #ffcf6b; --pass: #7ddba3; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
td { overflow-wrap: anywhere; }
td:first-child, td:last-child { white-space: nowrap; }
summary { cursor: pointer; }
h2 { display: inline; }
section { margin: 1rem 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid var(--line); padding-left: .75rem; }
.fail { color: var(--fail); font-weight: 600; }
.warning { color: var(--warning); font-weight: 600; }
.pass { color: var(--pass); }
@media (max-width: 40rem) { tr, td, th { display: block; border: 0; padding: .1rem 0; } tr { border-bottom: 1px solid var(--line); } }
`;

/** Results as one page without scripts or other files. */
export function resultsHtml(results: Results): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Conformance of ${nameOf(results)}</title>
<style>!${STYLE}</style>
</head>
<body>
<h1 class="${results.isConformant ? 'pass' : 'fail'}">${headline(results)}</h1>
<p>${conditions(results)}</p>
<p>Started ${results.startedAt}. ${results.tool}.</p>
!${linkList('Failures', idsOf(results, 'fail'))}
!${linkList('Warnings', idsOf(results, 'warning'))}
!${linkList('Passed, but expected to fail', results.unexpectedPasses)}
!${sectionResults(results).map(sectionHtml).join('\n')}
</body>
</html>
`;
}

function idsOf({ clauses }: Results, wanted: ClauseVerdict): string[] {
  return clauses.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
}

/** A list of links to the rows of clauses; empty when there are no ids. */
function linkList(title: string, ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const items = ids.map((id) => html`<li><a href="#${id}"><code>${id}</code></a></li>`);
  return html`<section><h2>${title}</h2><ul>!${items.join('')}</ul></section>`;
}

/** The clauses of a section, unfolded if any of them is broken. */
function sectionHtml({ section, title, clauses, counts, worst }: SectionResult): string {
  const open = worst === 'fail' || worst === 'warning' ? 'open' : '';
  return html`<section><details ${open}><summary><h2>${section} ${title}: ${counts.pass} of ${clauses.length} passed</h2></summary>
<table>
<thead><tr><th scope="col">verdict</th><th scope="col">clause</th><th scope="col">level</th></tr></thead>
<tbody>
!${clauses.map(clauseHtml).join('\n')}
</tbody>
</table></details></section>`;
}

/** Renders the parts of a sentence between backticks as code. */
function sentenceHtml(sentence: string): string {
  return sentence
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))
    .join('');
}

function clauseHtml({ id, verdict, sentence, level, rfc, why, expected, difference, exchanges }: ClauseResult): string {
  const notes = [
    ...(why === null ? [] : [`${verdict === 'fail' || verdict === 'warning' ? 'Found' : 'Why'}: ${why}.`]),
    ...(expected === null ? [] : [`Expected: ${expected}`]),
    ...(difference === null || why === null ? [] : [`Known: ${difference}`]),
  ];
  return html`<tr id="${id}"><td class="${verdict}">${verdict}</td>
<td><code>${id}</code><br>!${sentenceHtml(sentence)}!${notes.map((note) => html`<br>${note}`).join('')}
!${exchanges.map(exchangeHtml).join('\n')}</td>
<td>${level}!${rfc === null ? '' : html`<br>${rfc}`}</td></tr>`;
}

function exchangeHtml({ request, sent, received, curl }: SentAndReceived): string {
  return html`<details><summary>${request}</summary>
!${sent === null ? '' : html`<p>Sent:</p><pre>${sent}</pre>`}
<p>Received:</p><pre>${received}</pre>
!${curl === null ? '' : html`<p>To repeat this:</p><pre>${curl}</pre>`}</details>`;
}
