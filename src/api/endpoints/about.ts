import { z } from 'zod';
import { htmlAnswer, LONGER } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, page } from '../openapi/responses.ts';
import { aboutPage } from '../pages/about-page.ts';

/** `GET /about`: what this crawler is, for those whose servers it visits. */
export const about = endpoint({
  path: '/about',
  operationId: 'getAbout',
  tag: 'service',
  summary: 'What this crawler is, how often it asks, what it stores, and how to opt out.',
  example: '/about',
  query: z.strictObject({}),
  responses: { ...page('The page.'), ...LIMITED },
  // Of two things that change, each alone.
  madeFrom: null,
  answer: (_question, { about, directory }) => htmlAnswer(aboutPage(about(), directory.survey().optOuts), LONGER),
});
