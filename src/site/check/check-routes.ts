import type { Domain } from '../../model/domain/domain.ts';
import { parseEnteredDomain } from '../domain/parse-entered-domain.ts';
import type { Site } from '../site.ts';
import type { SiteAnswer, SitePage } from '../site-page.ts';
import type { CheckAnswer } from './check-desk.ts';
import { checkFormPage, checkPendingPage, checkRefusedPage, checkReportPage } from './check-page.ts';

/** Seconds after which a page that waits for a report reloads itself. */
const REFRESH_SECONDS = 3;
const UNCACHED = { cacheControl: 'no-store' } as const;

/** Checks a server while the user waits; for some time, other users get the same report at this URL. */
const check: SitePage = {
  path: '/check',
  async answer({ query, isHead, countAgainstLimit }, context, site): Promise<SiteAnswer> {
    const { check: words } = site.words;
    const text = (query.get('domain') ?? '').trim();
    const domain = parseEnteredDomain(text, context);
    const commandDomain = domain ?? words.example;
    const refuse = (status: number, title: string, ...sentences: string[]): SiteAnswer => ({
      ...{ ...UNCACHED, status },
      body: checkRefusedPage({ title, sentences, domain: commandDomain }, site),
    });
    if (context.check === null) return refuse(403, words.title, words.off);
    // HEAD requests, which link checkers send, start no check.
    if (text === '' || isHead) return { body: checkFormPage(site) };
    if (domain === null) return refuse(400, words.title, words.notDomain);
    return toSiteAnswer(domain, await context.check.check(domain, countAgainstLimit), site, refuse);
  },
};

function toSiteAnswer(
  domain: Domain,
  answer: CheckAnswer,
  site: Site,
  refuse: (status: number, title: string, ...sentences: string[]) => SiteAnswer,
): SiteAnswer {
  const { check: words, format } = site.words;
  switch (answer.kind) {
    case 'done':
      return { ...UNCACHED, body: checkReportPage(answer.report, answer.againAt, site) };
    case 'running':
    case 'waiting':
      return { ...UNCACHED, body: checkPendingPage(domain, answer.kind, site), refreshSeconds: REFRESH_SECONDS };
    case 'limited': {
      const minutes = Math.ceil(answer.retryAfterSeconds / 60);
      const again = words.limited.again(minutes, format.number(minutes));
      return refuse(429, words.limited.title, words.limited[answer.by], again);
    }
    case 'opted-out':
      return refuse(404, words.title, words.optedOut);
    case 'failed':
      return refuse(503, words.title, words.failed);
  }
}

export const checkRoutes: readonly SitePage[] = [check];
