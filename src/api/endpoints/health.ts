import { z } from 'zod';
import { uncachedJson } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { Health } from '../resources/health.ts';

const content = { 'application/json': { schema: Health } };

/** `GET /health`: 503 when the status is `failing`, else 200. */
export const health = endpoint({
  path: '/health',
  operationId: 'getHealth',
  tag: 'service',
  summary: 'Health of the service.',
  example: '/health',
  query: z.strictObject({}),
  responses: {
    '200': { description: 'The service is not failing; `status` tells whether a part has a problem.', content },
    '503': { description: 'The status is `failing`.', content },
  },
  isMonitoring: true,
  answer(_request, context) {
    const health = context.health();
    return uncachedJson(health, health.status === 'failing' ? 503 : 200);
  },
});
