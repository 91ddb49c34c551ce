import { z } from 'zod';
import { uncachedAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';

/** `GET /metrics`: metrics in the Prometheus text format. */
export const metrics = endpoint({
  path: '/metrics',
  operationId: 'getMetrics',
  tag: 'service',
  summary: 'Metrics of the crawler and of this server, for Prometheus.',
  example: '/metrics',
  query: z.strictObject({}),
  responses: { '200': { description: 'The metrics.', content: { 'text/plain': { schema: z.string() } } } },
  isMonitoring: true,
  answer: async (_request, context) => {
    const { type, text } = await context.metrics.read(context);
    return uncachedAnswer(type, text);
  },
});
