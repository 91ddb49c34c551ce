import { type CrawlResult, crawlAndExport } from '../app/crawl-and-export.ts';
import { addDomains, awaitVisits } from '../app/database.ts';
import type { Explanation } from '../explain/explanation.ts';
import { explanationBrief } from '../explain/text/explanation-text.ts';
import { MINUTE_MS } from '../model/time.ts';
import { CrawlingError } from '../service/crawler.ts';
import { explainFrom } from '../service/explain-domain.ts';
import { parseDomains } from '../settings/parse-domains.ts';
import { requireContact } from '../settings/require-contact.ts';
import { abortOnSignal } from '../shutdown.ts';
import { type Help, type Run, writeResult } from './command.ts';
import { summary } from './crawl.ts';
import { openApp, settingsFileFor, settingsOf } from './input/open-app.ts';
import { progressOn } from './output/crawl-progress.ts';
import { tableWidth } from './output/table.ts';
import { type ShownVisit, visitJson, visitText } from './output/visit-text.ts';

export const help: Help = {
  argument: 'the domains to enter and visit',
  more: `Earlier failures are cleared: a dead domain starts again. If a service on the
same database is visiting a domain, waits up to a minute for that visit and
shows it. After its own visits it also exports; visits of the service are
exported by the service.

Exit code: 1 when a domain has opted out or was not visited, or the export
failed; 2 for a usage or settings error; otherwise 0.`,
  examples: ['loopscout add loops.example', 'loopscout add loops.example videos.example --json'],
};

/** Maximum wait for a visit by another process; by default, a visit takes at most 30 s. */
const AWAIT_MS = MINUTE_MS;
/** Meanwhile, the role of the crawling process is tried again at this interval. */
const TRY_MS = 1_000;

/** `add DOMAIN...`: enters domains, visits them now, and explains whether they are listed. */
export const run: Run = async (invocation) => {
  const { args, options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const domains = [...new Set(parseDomains(args, settings))];
  requireContact(settings, settingsFileFor(invocation));
  using interrupt = abortOnSignal();
  await using app = await openApp(invocation, settings);
  await app.checkBeforeCrawl();
  let role: Disposable | null = null;
  using _role = { [Symbol.dispose]: () => role?.[Symbol.dispose]() };
  let isCrawling = tryCrawling();
  const added = addDomains(app, domains);
  const optedOut = new Set(added.optedOut);
  const wanted = domains.filter((domain) => !optedOut.has(domain));

  const visits: ShownVisit[] = [];
  const outcome = wanted.length === 0 ? null : await visitNow();
  const explanations = wanted.map(explain);

  const result = { ...outcome?.report, visits: visits.map(visitJson), explanations, optedOut: added.optedOut };
  writeResult(invocation, result, toText);
  for (const domain of added.optedOut) terminal.stderr.write(`${domain} is not visited: its owner has opted out.\n`);
  if (outcome?.fault != null) throw outcome.fault;
  const missed = wanted.filter((domain) => !visits.some((visit) => visit.domain === domain));
  const hasEnded = outcome === null || outcome.report.end === 'done';
  if (hasEnded)
    for (const domain of missed) terminal.stderr.write(`${domain} was not visited: ${isCrawling ? FAILED : BUSY}\n`);
  return missed.length === 0 && added.optedOut.length === 0 && hasEnded ? 0 : 1;

  /** Visits the domains; null when the crawling process did. */
  async function visitNow(): Promise<CrawlResult | null> {
    const { signal } = interrupt;
    if (!isCrawling) {
      terminal.stderr.write('another process is crawling with this database, and visits now\n');
      const until = performance.now() + AWAIT_MS;
      // That process may end without a visit, such as an `add` of other domains.
      while (!isCrawling && performance.now() < until && !signal.aborted) {
        visits.splice(
          0,
          visits.length,
          ...(await awaitVisits(app, wanted, { after: added.at, forMs: TRY_MS, signal })),
        );
        if (visits.length === wanted.length) return null;
        isCrawling = tryCrawling();
      }
      if (!isCrawling) return null;
    }
    const only = wanted.filter((domain) => !visits.some((visit) => visit.domain === domain));
    return crawlAndExport(app, { only, signal, visits, ...progressOn(terminal.stderr, options) });
  }

  /** False when another process is crawling: it visits the domains. */
  function tryCrawling(): boolean {
    try {
      role = app.startCrawling('add');
      return true;
    } catch (error) {
      if (error instanceof CrawlingError) return false;
      throw error;
    }
  }

  function explain(domain: (typeof domains)[number]): Explanation {
    using reader = app.store.reader({ snapshot: true, flags: settings.flags });
    return explainFrom(reader, settings, domain, { visits: 0, now: Date.now() });
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
