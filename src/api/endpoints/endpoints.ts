import { z } from 'zod';
import { DirectoryNotReadError } from '../../directory/directory.ts';
import { type Answer, CACHE_FIVE_MINUTES, htmlAnswer, jsonAnswer } from '../answers/answer.ts';
import { createCachedAnswer } from '../answers/cached-answer.ts';
import type { ApiContext } from '../api-context.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { type OpenApiDocument, openApiDocument } from '../openapi/document.ts';
import { page, RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { apiPage } from '../pages/api-page.ts';
import { exampleAnswers } from '../pages/example-answers.ts';
import { changes } from './changes.ts';
import { domain } from './domain.ts';
import { exportedFile, exportedFilesInFolders } from './exported-file.ts';
import { health } from './health.ts';
import { history } from './history.ts';
import { instance } from './instance.ts';
import { instances } from './instances.ts';
import { metrics } from './metrics.ts';
import { software } from './software.ts';
import { stats } from './stats.ts';
import { statsHistory } from './stats-history.ts';
import { submissions } from './submissions.ts';
import { timeline } from './timeline.ts';
import { versions } from './versions.ts';

/** The endpoints of the data and of the server, in the order of the document. A new endpoint is a file in this folder, listed here. */
const ENDPOINTS = [
  instances,
  instance,
  history,
  timeline,
  domain,
  submissions,
  changes,
  stats,
  statsHistory,
  versions,
  software,
  health,
  metrics,
] as const;

/** After this time, the page is made again, with current answers to its examples. */
const API_PAGE_MAX_AGE_MS = 300_000;

/** Number of opt-outs that the directory respects; null before it is read. */
function optOutsOf({ directory }: ApiContext): number | null {
  try {
    return directory.snapshot().optOuts;
  } catch (error) {
    if (error instanceof DirectoryNotReadError) return null;
    throw error;
  }
}

/** All endpoints, including the two that describe the API, and those of the exported files. */
export function endpointsOf(version: string): readonly Endpoint[] {
  let document: OpenApiDocument | null = null;
  let cachedPage: (() => Promise<Answer>) | null = null;
  const getPage = (context: ApiContext) => {
    cachedPage ??= createCachedAnswer(() => makePage(context), {
      maxAgeMs: API_PAGE_MAX_AGE_MS,
      version: () => optOutsOf(context),
      now: context.now,
    });
    return cachedPage();
  };
  const getDocument = () => {
    if (document === null) throw new Error('the OpenAPI document was requested before its creation');
    return document;
  };
  const makePage = async (context: ApiContext) => {
    const examples = await exampleAnswers(endpoints, context);
    const content = apiPage(getDocument(), examples);
    const [description = ''] = getDocument().info.description.split(/(?<=\.) /);
    const html = context.renderPage({ path: '/api', title: 'The API', description, content });
    const value = htmlAnswer(html, CACHE_FIVE_MINUTES);
    return { value, isCacheable: examples.size > 0 };
  };
  const openapi = endpoint({
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: 'service',
    summary: 'This document.',
    example: '/openapi.json',
    query: z.strictObject({}),
    responses: {
      ...withEtag('The document.', z.looseObject({ openapi: z.string().meta({ description: 'Version of OpenAPI.' }) })),
      ...RATE_LIMITED,
    },
    answer: () => jsonAnswer(JSON.stringify(getDocument()), CACHE_FIVE_MINUTES),
  });
  const api = endpoint({
    path: '/api',
    operationId: 'getApiPage',
    tag: 'service',
    summary: 'This document as a page.',
    example: '/api',
    query: z.strictObject({}),
    responses: { ...page('The page.'), ...RATE_LIMITED },
    async prepare(context) {
      // The first request tries again, and reports the error.
      await getPage(context).catch(() => {});
    },
    answer: (_request, context) => getPage(context),
  });
  const endpoints: readonly Endpoint[] = [...ENDPOINTS, openapi, api, exportedFile, ...exportedFilesInFolders];
  document = openApiDocument(endpoints, version);
  return endpoints;
}
