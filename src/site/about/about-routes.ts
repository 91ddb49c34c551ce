import type { SitePage } from '../site-page.ts';
import { aboutPage } from './about-page.ts';

/** What the crawler is and does. */
const page: SitePage = {
  path: '/about',
  // It has two sources that change independently.
  source: () => null,
  answer: (_request, { about, directory, check }, site) =>
    aboutPage({ about: about(), optOuts: directory.survey().optOutCount, canCheck: check !== null }, site),
};

export const aboutRoutes: readonly SitePage[] = [page];
