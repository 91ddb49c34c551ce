import { z } from 'zod';
import { jsonLine } from '../../directory/formatting.ts';
import { minuteRoundedTime } from '../../directory/minute-rounded-time.ts';
import { Explanation } from '../../explain/explanation.ts';
import { CACHE_ONE_MINUTE, jsonAnswer } from '../answers/answer.ts';
import { endpoint } from '../endpoint.ts';
import { RATE_LIMITED, UNKNOWN_DOMAIN, withEtag } from '../openapi/responses.ts';
import { DomainParameter, parseDomainParameter, requirePublishedRecord } from '../query/domain-parameter.ts';
import { wholeNumberOr } from '../query/parameters.ts';

/** `GET /api/v1/domains/{domain}`: why a domain is listed or not. */
export const domain = endpoint({
  path: '/api/v1/domains/{domain}',
  operationId: 'explainDomain',
  tag: 'domains',
  summary: 'Why a domain is listed or not, what would change that, and its last visits step by step.',
  example: '/api/v1/domains/loops.example?visits=2',
  parameters: DomainParameter,
  query: z.strictObject({
    visits: wholeNumberOr(5, 0, 50).meta({ description: 'Number of recent visits to include.' }),
  }),
  responses: {
    ...withEtag('The explanation.', Explanation.meta({ id: 'Explanation' })),
    ...UNKNOWN_DOMAIN,
    ...RATE_LIMITED,
  },
  answer({ parameters, query: { visits } }, context) {
    const name = parseDomainParameter(parameters, context);
    const now = minuteRoundedTime(requirePublishedRecord(name, context), context.now());
    return jsonAnswer(jsonLine(context.explain(name, { visits, now })), CACHE_ONE_MINUTE);
  },
});
