import { z } from 'zod';
import { CACHE_FIVE_MINUTES, htmlAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { page, RATE_LIMITED } from '../openapi/responses.ts';
import { aboutPage } from '../pages/about-page.ts';

/** `GET /about`: the crawler, for operators of visited servers. */
export const about = endpoint({
  path: '/about',
  operationId: 'getAbout',
  tag: 'service',
  summary: 'The purpose of this crawler, its visit intervals, the stored data, and how to opt out.',
  example: '/about',
  query: z.strictObject({}),
  responses: { ...page('The page.'), ...RATE_LIMITED },
  // The settings and the number of opt-outs change independently of each other.
  cacheKey: null,
  answer: (_request, { about, directory, renderPage }) => {
    const content = aboutPage(about(), directory.survey().optOutCount);
    return htmlAnswer(renderPage('/about', 'About this crawler', content), CACHE_FIVE_MINUTES);
  },
});
