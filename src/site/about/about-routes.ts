import type { SitePage } from '../site-page.ts';
import { aboutPage } from './about-page.ts';

/** What the crawler is and does. */
const page: SitePage = {
  path: '/about',
  // Depends on the settings and on the totals of the domains, which change independently.
  answer: (_request, { about, directory, check }, site) =>
    aboutPage({ about: about(), optOuts: directory.domainTotals().optOutCount, canCheck: check !== null }, site),
};

export const aboutRoutes: readonly SitePage[] = [page];
