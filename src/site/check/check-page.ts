import { html } from 'ghtml';
import type { Severity } from '../../report/severity.ts';
import type { TextBlock } from '../../report/text-blocks.ts';
import { allFindings, type FindingView, findingsOf, type ReportView } from '../../report/view.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';

const TONES: Readonly<Record<Severity, string>> = { fail: 'bad', warn: 'fair', info: '', pass: 'good' };

export function checkFormPage(site: Site): string {
  const { check: words } = site.words;
  const content = html`<div class="hero">
<h1>${words.title}</h1>
<p>${words.lead}</p>
</div>
!${form('', site)}
!${commandLine(words.example, site)}`;
  return renderPage({ title: words.title, description: words.description, content }, site);
}

/** The page of a site that offers no checks: how to check a server oneself. */
export function checkOffPage(site: Site): string {
  const { check: words } = site.words;
  return checkRefusedPage({ title: words.title, sentences: [words.lead, words.off], domain: words.example }, site);
}

/** A check takes no longer. */
const MAX_SECONDS = 60;

/** The page while a check runs or waits for others; it reloads itself. @param seconds how long it has run; null while it waits. */
export function checkPendingPage(domain: string, seconds: number | null, site: Site): string {
  const { check: words, format } = site.words;
  const { running, waiting } = words;
  const [title, text] =
    seconds === null ? [waiting.title, waiting.text(domain)] : [running.title(domain), running.text];
  const content = html`<div class="notice" role="status">
<div class="spinner" aria-hidden="true"></div>
<h1>${title}</h1>
<p>${text}</p>
!${
    seconds === null
      ? ''
      : html`<p><progress max="${MAX_SECONDS}" value="${seconds}" aria-label="${running.progress}"></progress></p>
<p class="soft">${running.seconds(seconds, format.number(seconds))}</p>`
  }
</div>`;
  return renderPage({ title, description: text, isNoindex: true, content }, site);
}

/** The page that explains why there is no report. */
export function checkRefusedPage(
  { title, sentences, domain }: { title: string; sentences: readonly string[]; domain: string },
  site: Site,
): string {
  const content = html`<div class="hero">
<h1>${title}</h1>
!${sentences.map((sentence) => html`<p>${sentence}</p>`)}
</div>
!${commandLine(domain, site)}`;
  return renderPage({ title, description: title, isNoindex: true, content }, site);
}

export function checkReportPage(report: ReportView, againAt: number, site: Site): string {
  const { check: words, format } = site.words;
  const { subject, headline, summary, incomplete, generatedBy, effect } = report;
  const title = words.titleOf(subject);
  const infos = findingsOf(report, 'info');
  const content = html`<div class="hero">
<p class="tags"><span class="tag ${TONES[headline.severity]}">${words.overall[headline.severity]}</span></p>
<h1>${subject}</h1>
<p>${headline.text}</p>
<p class="soft">${summary}. ${incomplete === null ? '' : words.incomplete(incomplete)}</p>
</div>
<div class="columns">
<div>
!${problemsSection(report, site)}
!${infos.length === 0 ? '' : html`<section class="panel" aria-labelledby="infos"><h2 id="infos">${words.infos}</h2>!${infos.map((finding) => findingArticle(finding, site))}</section>`}
!${passedSection(report, site)}
</div>
<div>
!${factsSection(report, site)}
!${clientsSection(report)}
<section class="panel" aria-labelledby="about-check"><h2 id="about-check" class="unseen">${words.title}</h2>
<p>${generatedBy} ${effect}</p>
<p>${words.shared(format.dateTime(againAt))}</p>
<p><a href="${site.links.domain(subject)}">${words.why}</a></p>
</section>
</div>
</div>
!${form(subject, site)}
!${commandLine(subject, site)}`;
  return renderPage({ title, description: headline.text, content }, site);
}

function problemsSection(report: ReportView, site: Site): string {
  const { check: words } = site.words;
  const problems = [...findingsOf(report, 'fail'), ...findingsOf(report, 'warn')];
  return html`<section class="panel" aria-labelledby="problems">
<h2 id="problems">${words.problems}</h2>
!${problems.length === 0 ? html`<p>${words.noProblems}</p>` : problems.map((finding) => findingArticle(finding, site))}
</section>`;
}

function findingArticle({ id, severity, title, detail, cure }: FindingView, { words }: Site): string {
  const { check } = words;
  return html`<article class="finding" id="${id}">
<h3><span class="tag ${TONES[severity]}">${check.severity[severity]}</span> ${title}</h3>
!${detail.map((paragraph) => html`<p>${paragraph}</p>`)}
!${cure === null ? '' : html`<div class="cure"><h4>${check.cure}</h4>!${cure.map(block)}</div>`}
</article>`;
}

function block(part: TextBlock): string {
  return part.kind === 'prose'
    ? html`<p>${part.text}</p>`
    : html`<pre tabindex="0"><code>${part.lines.join('\n')}</code></pre>`;
}

function passedSection(report: ReportView, { words }: Site): string {
  const { check, format } = words;
  const count = allFindings(report).filter(({ severity }) => severity === 'pass').length;
  if (count === 0) return '';
  const groups = report.groups.flatMap(({ name, findings }) => {
    const titles = findings.filter(({ severity }) => severity === 'pass').map(({ title }) => html`<li>${title}</li>`);
    return titles.length === 0 ? [] : [html`<h3>${name}</h3><ul>!${titles}</ul>`];
  });
  return html`<section class="panel" aria-labelledby="passed">
<h2 id="passed" class="unseen">${check.severity.pass}</h2>
<details><summary>${check.passed(count, format.number(count))}</summary>!${groups}</details>
</section>`;
}

function factsSection({ facts }: ReportView, { words }: Site): string {
  if (facts === null) return '';
  const { title, rows, absent } = facts;
  const list = rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return html`<section class="panel" aria-labelledby="facts">
<h2 id="facts">${title}</h2>
!${absent === null ? html`<dl class="rows">!${list}</dl>` : html`<p>${words.check.noFacts(absent)}</p>`}
</section>`;
}

function clientsSection({ clients: { title, rows } }: ReportView): string {
  if (rows.length === 0) return '';
  const list = rows.map(
    ({ name, isRight, sees, why }) =>
      html`<div><dt>${name}</dt><dd>!${isRight ? '' : '<span class="tag fair">!</span> '}${sees}!${isRight ? '' : html`<span class="soft">${why}</span>`}</dd></div>`,
  );
  return html`<section class="panel" aria-labelledby="clients">
<h2 id="clients">${title}</h2>
<dl class="rows">!${list}</dl>
</section>`;
}

function form(domain: string, { words, links }: Site): string {
  const { check } = words;
  return html`<form class="wide-find" action="${links.page('/check')}" method="get">
<label for="check-domain">${check.label}</label>
<div><input id="check-domain" name="domain" value="${domain}" placeholder="${check.example}" maxlength="260" autocapitalize="none" autocomplete="off" spellcheck="false" required>
<button>${check.button}</button></div>
<p class="soft">${check.limits}</p>
</form>`;
}

function commandLine(domain: string, { words: { check } }: Site): string {
  return html`<p class="soft">${check.commandLine}</p>
<pre tabindex="0"><code>${check.command(domain)}</code></pre>`;
}
