import { aboutRoutes } from './about/about-routes.ts';
import { addRoutes } from './add/add-routes.ts';
import { checkRoutes } from './check/check-routes.ts';
import { crawlerRoutes } from './crawler/crawler-routes.ts';
import { dataRoutes } from './data/data-routes.ts';
import { directoryRoutes } from './directory/directory-routes.ts';
import { domainRoutes } from './domain/domain-routes.ts';
import { instanceRoutes } from './instance/instance-routes.ts';
import { robotsRoutes } from './robots-routes.ts';
import type { SitePage } from './site-page.ts';
import { statsRoutes } from './stats/stats-routes.ts';

/** Every page of the live site. Add new ones here. */
export const PAGES: readonly SitePage[] = [
  ...directoryRoutes,
  ...instanceRoutes,
  ...statsRoutes,
  ...dataRoutes,
  ...domainRoutes,
  ...checkRoutes,
  ...addRoutes,
  ...robotsRoutes,
  ...crawlerRoutes,
  ...aboutRoutes,
];
