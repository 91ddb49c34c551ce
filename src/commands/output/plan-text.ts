import { counted } from '../../report/text-blocks.ts';
import type { CrawlPlan, PlannedSource, PlannedVisit } from '../../service/crawl-plan.ts';

/** Maximum domains in the text. */
const MAX_SHOWN = 50;

/** The plan of a crawl as text. */
export function planText({ sources, domains, optedOut }: CrawlPlan): string {
  const sourcesToRead = sources.filter(({ read }) => read === 'yes');
  const remote = sourcesToRead.filter(({ requestsLastTime }) => requestsLastTime !== 0);
  const shown = domains.slice(0, MAX_SHOWN);
  const rest = domains.length - shown.length;
  const lines = [
    ...(sources.length === 0 ? [] : [`${counted(sourcesToRead.length, 'source')} would be read:`]),
    ...sources.map((source) => `  ${source.label}: ${sourceText(source)}`),
    `${counted(domains.length, 'domain')} would be visited${remote.length === 0 ? '' : ', and those that remote sources add'}${domains.length === 0 ? '.' : ':'}`,
    ...shown.map((visit) => `  ${visitLine(visit)}`),
    ...(rest > 0 ? [`  and ${rest} more; --json lists all`] : []),
    ...optedOut.map((domain) => `${domain} would not be visited: its owner has opted out.`),
    'Nothing was contacted or written.',
  ];
  return `${lines.join('\n')}\n`;
}

function sourceText({ read, requestsLastTime, nextRead }: PlannedSource): string {
  if (read === 'left-out') return 'no, left out by --sources';
  if (read === 'opted-out') return 'no, its host has opted out';
  if (read === 'not-due') return `not before ${minute(nextRead)} UTC`;
  if (requestsLastTime === 0) return 'yes, without requests';
  return requestsLastTime === null
    ? 'yes, for the first time; the number of requests is unknown'
    : `yes; ${counted(requestsLastTime, 'request')} last time`;
}

function visitLine({ domain, dueSince, listedBy }: PlannedVisit): string {
  if (listedBy !== null) return `${domain}: new, listed by ${listedBy}`;
  return dueSince === null ? `${domain}: new` : `${domain}: due ${minute(dueSince)} UTC`;
}

function minute(iso: string | null): string {
  return iso === null ? 'later' : iso.slice(0, 16).replace('T', ' ');
}
