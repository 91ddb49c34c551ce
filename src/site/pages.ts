import { directoryRoutes } from './directory/directory-routes.ts';
import { domainRoutes } from './domain/domain-routes.ts';
import type { SitePage } from './site-page.ts';

/** Every page of the live site. A new one is listed here. */
export const PAGES: readonly SitePage[] = [...directoryRoutes, ...domainRoutes];
