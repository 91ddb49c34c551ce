import { classifyPage, type PageClass } from '../../identify/page-class.ts';
import type { Evidence } from '../evidence.ts';
import type { Exchange } from '../exchange.ts';

/**
 * The page that stands in for the whole server: of a fresh web server, of a name that is for sale, of maintenance. The rule on the home
 * page names it, and nothing else is wrong. Null when config is answered otherwise than home.
 */
export function standInOf({ answers }: Evidence): PageClass | null {
  const [home, config] = [pageOf(answers.home), pageOf(answers.config)];
  return home !== null && home.class === config?.class ? home : null;
}

function pageOf(exchange: Exchange | null): PageClass | null {
  if (exchange === null || exchange.status === null || exchange.status >= 500) return null;
  const { status, headers, body } = exchange;
  const page = classifyPage({ status, headers, body });
  return page === null || page.class === 'challenge-page' || page.class === 'web-app' ? null : page;
}
