import { z } from 'zod';
import { momentaryJson } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { Health } from '../resources/health.ts';

const content = { 'application/json': { schema: Health } };

/** `GET /health`: how the crawler itself is; 200 when it works, 503 when something of it does not. */
export const health = endpoint({
  path: '/health',
  operationId: 'getHealth',
  tag: 'service',
  summary: 'How the service itself is.',
  example: '/health',
  query: z.strictObject({}),
  responses: {
    '200': { description: 'It works.', content },
    '503': { description: 'Something of it does not work.', content },
  },
  isUnlimited: true,
  madeFrom: null,
  answer(_question, context) {
    const told = context.health();
    return momentaryJson(told, told.status === 'failing' ? 503 : 200);
  },
});
