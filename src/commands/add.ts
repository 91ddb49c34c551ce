import { abortOnSignal, parseDomains, type Visit } from '../app/app.ts';
import { type Added, addDomains, awaitVisits } from '../app/database.ts';
import { type Explanation, explainFrom, explanationBrief } from '../service/explain-domain.ts';
import { requireContact } from '../settings/require-contact.ts';
import type { Run } from './command.ts';
import { summary } from './crawl.ts';
import { openApp, settingsFileFor, settingsOf } from './input/open-app.ts';
import { type CrawlOutcome, crawlOnce } from './output/crawl-report.ts';
import { tableWidth } from './output/table.ts';
import { type ShownVisit, visitJson, visitText } from './output/visit-text.ts';

/** Maximum wait for a visit by another process; by default, a visit takes at most 30 s. */
const AWAIT_MS = 60_000;

/** `add DOMAIN...`: enters domains, visits them now, and explains whether they are listed. */
export const run: Run = async (invocation) => {
  const { args, options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const domains = [...new Set(parseDomains(args, settings))];
  requireContact(settings, settingsFileFor(invocation));
  using interrupt = abortOnSignal();
  await using app = await openApp(invocation);
  await app.checkBeforeCrawl();
  const added = await addDomains(app, domains, interrupt.signal);
  const optedOut = new Set(added.optedOut);
  const wanted = domains.filter((domain) => !optedOut.has(domain));

  const visits: ShownVisit[] = [];
  const postponed = new Set<Visit['domain']>();
  const outcome = wanted.length === 0 ? null : await visitNow();
  const explanations = wanted.map(explain);

  if (options.json === true) terminal.stdout.write(`${JSON.stringify(toJson(), null, 2)}\n`);
  else terminal.stdout.write(toText());
  for (const domain of added.optedOut) terminal.stderr.write(`${domain} is not visited: its owner has opted out.\n`);
  if (outcome?.fault != null) throw outcome.fault;
  const missed = wanted.filter((domain) => !visits.some((visit) => visit.domain === domain));
  if (outcome === null || outcome.report.end === 'done')
    for (const domain of missed)
      terminal.stderr.write(
        `${domain} was not visited: ${postponed.has(domain) ? POSTPONED : whyMissed(domain, added)}\n`,
      );
  return missed.length === 0 && added.optedOut.length === 0 && outcome?.report.end === 'done' ? 0 : 1;

  async function visitNow(): Promise<CrawlOutcome> {
    const { signal } = interrupt;
    const pass = await crawlOnce(app, {
      only: wanted,
      stderr: terminal.stderr,
      options,
      signal,
      onVisit: (visit: Visit) => visits.push(visit),
      onPostponed: (domain) => postponed.add(domain),
    });
    const unvisited = wanted.filter(
      (domain) => !postponed.has(domain) && !visits.some((visit) => visit.domain === domain),
    );
    if (pass.fault === null && pass.report.end === 'done' && unvisited.length > 0) {
      terminal.stderr.write(`waiting for another process to finish its visit: ${unvisited.join(', ')}\n`);
      visits.push(...(await awaitVisits(app, unvisited, { lastVisitId: added.lastVisitId, forMs: AWAIT_MS, signal })));
    }
    return pass;
  }

  function explain(domain: (typeof domains)[number]): Explanation {
    using reader = app.store.reader({ snapshot: true, flags: settings.flags });
    return explainFrom(reader, settings, domain, { visits: 0, now: Date.now() });
  }

  function toJson() {
    return { ...outcome?.report, visits: visits.map(visitJson), explanations, optedOut: added.optedOut };
  }

  function toText(): string {
    const shown = visits.map((visit) => `${visitText(visit)}\n\n`);
    const briefs = explanations.map((explanation) => `${explanationBrief(explanation)}\n\n`);
    return [
      ...shown,
      ...briefs,
      outcome === null || options.quiet === true ? '' : summary(outcome.report, tableWidth(terminal.stdout)),
    ].join('');
  }
};

const POSTPONED =
  'the visit needs a third-party host whose hourly limit of contacts is reached, and is made in about an hour.';

function whyMissed(domain: Added['leased'][number], { leased }: Added): string {
  return leased.includes(domain)
    ? 'another process has been visiting it for over a minute; try again later.'
    : 'another process is visiting it, or an error prevented the visit (see the log above).';
}
