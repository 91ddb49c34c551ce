import { currentTrends } from '../../views/trends-view.ts';
import type { SitePage } from '../site-page.ts';
import { statsPage } from './stats-page.ts';

const stats: SitePage = {
  path: '/stats',
  data: ({ directory }) => currentTrends(directory),
  answer: (_request, { directory }, site) => statsPage(currentTrends(directory), site),
};

export const statsRoutes: readonly SitePage[] = [stats];
