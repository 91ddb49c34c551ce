import { reportView } from '../check/report-view.ts';
import type { Crawler } from '../service/crawler.ts';
import { createVisitorChecks, type VisitorChecks } from '../service/visitor-checks.ts';
import { checkForVisitor } from './check.ts';

/** How long the page of a check waits for the report before it shows that the check is running. */
const CHECK_ANSWER_MS = 2_500;

/** The checks that visitors of the pages of a running crawler can start. */
export function createChecks(app: Crawler): VisitorChecks {
  return createVisitorChecks({
    check: async (domain, options) => reportView(await checkForVisitor(app.settings, domain, options)),
    limit: app.hourlyLimit,
    reader: app.store.reader(),
    onError: (err) => app.logger.error({ err }, 'a check for a visitor failed because of a bug'),
    answerWithinMs: CHECK_ANSWER_MS,
    now: Date.now,
    clock: () => performance.now(),
  });
}
