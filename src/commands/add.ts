import { type App, abortOnSignal, CrawlingError, parseDomains, type Visit } from '../app/app.ts';
import { addDomains, awaitVisits } from '../app/database.ts';
import { type Explanation, explainFrom, explanationBrief } from '../service/explain-domain.ts';
import { requireContact } from '../settings/require-contact.ts';
import type { Run } from './command.ts';
import { summary } from './crawl.ts';
import { openApp, settingsFileFor, settingsOf } from './input/open-app.ts';
import { type CrawlOutcome, crawlAndExport } from './output/crawl-report.ts';
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
  using crawling = tryCrawling(app);
  const added = addDomains(app, domains);
  const optedOut = new Set(added.optedOut);
  const wanted = domains.filter((domain) => !optedOut.has(domain));

  const visits: ShownVisit[] = [];
  const outcome = wanted.length === 0 ? null : await visitNow();
  const explanations = wanted.map(explain);

  if (options.json === true) terminal.stdout.write(`${JSON.stringify(toJson(), null, 2)}\n`);
  else terminal.stdout.write(toText());
  for (const domain of added.optedOut) terminal.stderr.write(`${domain} is not visited: its owner has opted out.\n`);
  if (outcome?.fault != null) throw outcome.fault;
  const missed = wanted.filter((domain) => !visits.some((visit) => visit.domain === domain));
  const hasEnded = outcome === null || outcome.report.end === 'done';
  if (hasEnded)
    for (const domain of missed)
      terminal.stderr.write(`${domain} was not visited: ${crawling === null ? BUSY : FAILED}\n`);
  return missed.length === 0 && added.optedOut.length === 0 && hasEnded ? 0 : 1;

  /** Visits the domains; null when the crawling process did. */
  async function visitNow(): Promise<CrawlOutcome | null> {
    const { signal } = interrupt;
    if (crawling === null) {
      terminal.stderr.write('another process is crawling with this database, and visits now\n');
      visits.push(...(await awaitVisits(app, wanted, { after: added.at, forMs: AWAIT_MS, signal })));
      return null;
    }
    const onVisit = (visit: Visit) => visits.push(visit);
    return crawlAndExport(app, { only: wanted, stderr: terminal.stderr, options, signal, onVisit });
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

const BUSY = 'the crawling process has not visited it within a minute; it waits with the domains to be visited next.';
const FAILED = 'an error prevented the visit (see the log above).';

/** Null when another process is crawling: it visits the domains. */
function tryCrawling(app: App): Disposable | null {
  try {
    return app.startCrawling('add');
  } catch (error) {
    if (error instanceof CrawlingError) return null;
    throw error;
  }
}
