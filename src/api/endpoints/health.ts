import { z } from 'zod';
import { momentaryJson } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { Health } from '../resources/health.ts';

const content = { 'application/json': { schema: Health } };

/** `GET /health`: 200 when the service works, 503 when it does not. */
export const health = endpoint({
  path: '/health',
  operationId: 'getHealth',
  tag: 'service',
  summary: 'Health of the service.',
  example: '/health',
  query: z.strictObject({}),
  responses: {
    '200': { description: 'The service works.', content },
    '503': { description: 'The service does not fully work.', content },
  },
  isUnlimited: true,
  cacheKey: null,
  answer(_question, context) {
    const health = context.health();
    return momentaryJson(health, health.status === 'failing' ? 503 : 200);
  },
});
