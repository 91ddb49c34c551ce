import { z } from 'zod';

import { CACHE_ONE_MINUTE, jsonAnswer } from '../answers/answer.ts';
import { ProblemError } from '../answers/problems.ts';
import { endpoint } from '../endpoint.ts';
import { problem, RATE_LIMITED, withEtag } from '../openapi/responses.ts';
import { DomainParameter, parseDomainParameter, requirePublishedRecord } from '../query/domain-parameter.ts';

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
  responses: {
    ...withEtag('The instance.', Instance),
    '404': problem(
      'The domain is unknown, asks not to be published, or is not listed. For a known domain that is not listed, `detail` gives the path that explains why.',
    ),
    ...RATE_LIMITED,
  },
  answer({ parameters }, context) {
    const domain = parseDomainParameter(parameters, context);
    const found = context.directory.snapshot().byDomain.get(domain);
    if (found !== undefined) return jsonAnswer(found.json, CACHE_ONE_MINUTE);
    requirePublishedRecord(domain, context);
    throw new ProblemError(404, `The domain is known, but not listed; /api/v1/domains/${domain} explains why.`);
  },
});
