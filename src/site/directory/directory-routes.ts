import { fairOrder } from '../../views/fair-order.ts';
import { PageError } from '../page-error.ts';
import type { SitePage } from '../site-page.ts';
import { directoryPage } from './directory-page.ts';

const PER_PAGE = 24;

const directory: SitePage = {
  path: '/',
  source: ({ directory }) => directory.snapshot(),
  answer({ query }, { directory }, site) {
    const all = fairOrder(directory.snapshot());
    const pages = Math.max(1, Math.ceil(all.length / PER_PAGE));
    const page = Number(query.get('page') ?? '1');
    if (!Number.isInteger(page) || page < 1 || page > pages) throw new PageError(404, site.words.errors.noPage);
    const instances = all.slice((page - 1) * PER_PAGE, page * PER_PAGE);
    return directoryPage({ total: all.length, page, pages, instances }, site);
  },
};

export const directoryRoutes: readonly SitePage[] = [directory];
