import type { FastifyInstance } from 'fastify';
import { DirectoryNotReadError } from '../directory/directory.ts';
import type { EpochMs } from '../model/time.ts';
import { aboutRoutes } from './about/about-page.ts';
import { addRoutes } from './add/add-page.ts';
import { type Brand, OUR_BRAND } from './brand.ts';
import { checkRoutes } from './check/check-routes.ts';
import { crawlerRoutes } from './crawler/crawler-page.ts';
import { dataRoutes } from './data/data-page.ts';
import { START } from './directory/choice-url.ts';
import { directoryRoutes } from './directory/directory-routes.ts';
import { directoryView } from './directory/directory-view.ts';
import { domainRoutes } from './domain/domain-page.ts';
import { errorPage, PageError, type PageProblem } from './error-page.ts';
import { instanceRoutes } from './instance/instance-routes.ts';
import { type Page, renderPage } from './layout.ts';
import { liveSite } from './site.ts';
import type { SiteAnswer, SiteContext, SitePage } from './site-page.ts';
import { robotsRoutes } from './sitemap.ts';
import { statsRoutes } from './stats/stats-routes.ts';

/** Every page of the live site. Add new ones here. */
const PAGES: readonly SitePage[] = [
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

declare module 'fastify' {
  interface FastifyContextConfig {
    // The API reads these where it counts and limits requests, and renders errors.
    page?: string;
    isAsset?: boolean;
  }
  interface FastifyInstance {
    countAgainstLimit(request: FastifyRequest): Promise<number>;
  }
}

const HTML_TYPE = 'text/html; charset=utf-8';
const ONE_MINUTE = 'public, max-age=60';
/** The URL of an asset changes with its content. */
const ONE_YEAR = 'public, max-age=31536000, immutable';

/** Adds the routes of all pages and assets. */
export function addSite(server: FastifyInstance, context: SiteContext): void {
  server.addHook('onReady', async () => prepareDirectory(context));
  for (const page of PAGES) {
    const path = page.path.replaceAll(/\{(\w+)\}/g, ':$1');
    for (const url of path === '/' ? ['/'] : [path, `${path}/`]) {
      server.route<{ Params: Record<string, string> }>({
        ...{ method: ['GET', 'HEAD'], url, config: { page: page.path } },
        async handler(request, reply) {
          const url = new URL(request.url, 'http://site');
          const origin = `${request.protocol}://${request.host}`;
          const { status, type, body, location, cacheControl, refreshSeconds } = await answerPage(
            page,
            {
              ...{ parameters: request.params, query: url.searchParams, origin, path: url.pathname },
              isHead: request.method === 'HEAD',
              isCrossSite: request.headers['sec-fetch-site'] === 'cross-site',
              countAgainstLimit: () => server.countAgainstLimit(request),
            },
            context,
          );
          if (location !== undefined) reply.header('location', location);
          if (refreshSeconds !== null) reply.header('refresh', refreshSeconds);
          reply.code(status).type(type).header('cache-control', cacheControl);
          return body;
        },
      });
    }
  }
  const { assets } = context.brand ?? OUR_BRAND;
  for (const { file, type, bytes } of new Set(Object.values(assets))) {
    server.route({
      ...{ method: ['GET', 'HEAD'], url: `/assets/${file}`, config: { page: '/assets/{name}', isAsset: true } },
      handler: (_request, reply) => reply.type(type).header('cache-control', ONE_YEAR).send(bytes),
    });
  }
}

/** Creates the function that renders errors as pages instead of JSON. */
export function createErrorPage(brand?: Brand): (problem: PageProblem) => string {
  return ({ status, detail }) => {
    // The details of other errors are written for users of the API.
    const shownDetail = status === 400 || status === 429 ? detail : null;
    return errorPage({ status, detail: shownDetail }, liveSite({ path: '', at: null, brand }));
  };
}

/** Creates the function that puts the frame of the site around a page that the API makes itself. */
export function createFrame(brand?: Brand) {
  return ({ path, ...page }: Pick<Page, 'title' | 'description' | 'content'> & { path: string }): string =>
    renderPage(page, liveSite({ path, at: null, brand }));
}

type LocatedRequest = Parameters<SitePage['answer']>[0] & { readonly path: string };
type CompleteAnswer = Required<Omit<SiteAnswer, 'location'>> & Pick<SiteAnswer, 'location'>;

async function answerPage(page: SitePage, request: LocatedRequest, context: SiteContext): Promise<CompleteAnswer> {
  const site = liveSite({ path: request.path, at: dataTime(context), brand: context.brand });
  try {
    const answer = await page.answer(request, context, site);
    return withDefaults(typeof answer === 'string' ? { body: answer } : answer);
  } catch (error) {
    if (!(error instanceof PageError)) throw error;
    const { status, message: detail } = error;
    return withDefaults({ status, body: errorPage({ status, detail }, site), cacheControl: 'no-store' });
  }
}

function withDefaults({ status, type, body = '', location, cacheControl, refreshSeconds }: SiteAnswer): CompleteAnswer {
  return {
    status: status ?? (location === undefined ? 200 : 303),
    type: type ?? HTML_TYPE,
    body: Buffer.from(body as string),
    cacheControl: cacheControl ?? ONE_MINUTE,
    refreshSeconds: refreshSeconds ?? null,
    location,
  };
}

/** Null before the directory was read, for the pages that do not need it. */
function dataTime({ directory }: SiteContext): EpochMs | null {
  try {
    return directory.snapshot().lastVisitAt;
  } catch (error) {
    if (error instanceof DirectoryNotReadError) return null;
    throw error;
  }
}

/** Computes in advance what all pages of the directory share, so that the first request does not wait for it. */
function prepareDirectory({ directory }: SiteContext): void {
  try {
    directoryView(directory.snapshot(), START, 'live');
  } catch (error) {
    if (!(error instanceof DirectoryNotReadError)) throw error;
  }
}
