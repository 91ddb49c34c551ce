import type { Domain } from '../../model/domain/domain.ts';
import { mayBePublished } from '../../model/domain-record.ts';
import { parseEnteredDomain } from '../domain/parse-entered-domain.ts';
import { PageError } from '../error-page.ts';
import type { Site } from '../site.ts';
import type { SiteAnswer, SitePage } from '../site-page.ts';
import type { CheckAnswer } from './check-answer.ts';
import { checkFormPage, checkOffPage, checkPendingPage, checkRefusedPage, checkReportPage } from './check-page.ts';

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
    if (context.check === null && text === '') return { body: checkOffPage(site) };
    if (context.check === null) return refuse(403, words.title, words.off);
    // HEAD requests, which link checkers send, start no check.
    if (text === '' || isHead) return { body: checkFormPage(site) };
    if (domain === null) return refuse(400, words.title, words.notDomain);
    return toSiteAnswer(domain, await context.check(domain, countAgainstLimit), site, refuse);
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
    case 'waiting': {
      const seconds = answer.kind === 'running' ? answer.seconds : null;
      return { ...UNCACHED, body: checkPendingPage(domain, seconds, site), refreshSeconds: REFRESH_SECONDS };
    }
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

/** Has the crawler visit a known domain, and shows the result on the page of the domain. */
const revisit: SitePage = {
  path: '/revisit',
  async answer({ query, isHead, isCrossSite, countAgainstLimit }, context, site): Promise<SiteAnswer> {
    const { words, links } = site;
    const { revisit: text } = words.check;
    const { submissions: submit, reader, now } = context;
    const domain = parseEnteredDomain((query.get('domain') ?? '').trim(), context);
    const record = domain === null ? null : reader.domains.find(domain);
    if (domain === null || record === null || !mayBePublished(record)) throw new PageError(404, words.check.notDomain);
    const refuse = (status: number, sentence: string): SiteAnswer => ({
      ...{ ...UNCACHED, status },
      body: checkRefusedPage({ title: text.title, sentences: [sentence], domain }, site),
    });
    if (typeof submit !== 'function') return refuse(403, text.off);
    const page = { ...UNCACHED, location: links.domain(domain) };
    // Neither link checkers nor pages of other sites cause visits.
    if (isHead || isCrossSite) return page;
    if ((await countAgainstLimit()) > 0) return refuse(429, text.limited);
    const answer = await submit(domain);
    switch (answer.kind) {
      case 'visited':
      case 'visiting':
        return page;
      case 'recent':
        return refuse(429, text.recent(words.format.dateTime(Math.max(answer.againAt, now()))));
      case 'busy':
        return refuse(429, answer.why);
      case 'unvisited':
        return refuse(503, answer.why);
      case 'opted-out':
        throw new PageError(404, words.check.notDomain);
    }
  },
};

export const checkRoutes: readonly SitePage[] = [check, revisit];
