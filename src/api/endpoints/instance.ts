import { z } from 'zod';
import { CACHE_ONE_MINUTE, jsonAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITED, UNKNOWN_DOMAIN, withEtag } from '../openapi/responses.ts';
import { DomainParameter, parseDomainParameter, unknownDomain } from '../query/domain-parameter.ts';
import { Instance } from '../resources/instance-list.ts';

/** `GET /api/v1/instances/{domain}`: one listed instance. */
export const instance = endpoint({
  path: '/api/v1/instances/{domain}',
  operationId: 'getInstance',
  tag: 'instances',
  summary: 'One listed instance. `/api/v1/domains/{domain}` explains why a domain is not listed.',
  example: '/api/v1/instances/loops.example',
  parameters: DomainParameter,
  query: z.strictObject({}),
  responses: { ...withEtag('The instance.', Instance), ...UNKNOWN_DOMAIN, ...LIMITED },
  cacheKey: ({ directory }) => directory.snapshot(),
  answer({ parameters }, context) {
    const found = context.directory.snapshot().byDomain.get(parseDomainParameter(parameters, context));
    if (found === undefined) throw unknownDomain();
    return jsonAnswer(found.json, CACHE_ONE_MINUTE);
  },
});
