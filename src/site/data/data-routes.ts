import { PRIVATE, type SitePage } from '../site-page.ts';
import { dataPage } from './data-page.ts';

const page: SitePage = {
  path: '/data',
  // The snippets name the address of this site.
  answer: ({ origin }, { data, about }, site) => ({
    ...PRIVATE,
    body: dataPage({ folder: data(), contact: about().contact }, { ...site, base: origin }),
  }),
};

export const dataRoutes: readonly SitePage[] = [page];
