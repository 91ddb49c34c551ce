import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import { type DomainRecord, mayBePublished } from '../../model/domain-record.ts';
import { ProblemError } from '../answers/problems.ts';
import type { ApiContext } from '../api-context.ts';

export const DomainParameter = z.object({
  domain: z
    .string()
    .min(1)
    .max(300)
    .meta({ description: 'Host name, with the port when it is not 443: `loops.example`.', example: 'loops.example' }),
});

/**
 * Parses the domain in a path or body.
 * @param refusal the problem for a reserved or unknown suffix.
 * @throws {ProblemError} 400 when the text is not a domain; `refusal` when its suffix is not public.
 */
export function parseDomainParameter(
  { domain: text = '' }: Readonly<Record<string, string>>,
  context: ApiContext,
  refusal: () => ProblemError = unknownDomain,
  where: 'path' | 'body' = 'path',
): Domain {
  const parsed = parseDomain(text, { allowSuffixes: context.allowSuffixes() });
  if (parsed.ok) return parsed.domain;
  if (parsed.reason === 'reserved-suffix' || parsed.reason === 'unknown-suffix') throw refusal();
  const errors = [{ parameter: 'domain', detail: `is not a domain: ${parsed.detail}` }];
  throw new ProblemError(400, `The ${where} does not contain a domain; use a host name such as loops.example.`, {
    errors,
  });
}

/**
 * Returns the record of a known domain that may be published.
 * @throws {ProblemError} 404, the same for unknown domains, opt-outs and domains that ask not to be published.
 */
export function requirePublishedRecord(
  domain: Domain,
  { reader }: ApiContext,
  refusal: () => ProblemError = unknownDomain,
): DomainRecord {
  const record = reader.domains.find(domain);
  if (record === null || !mayBePublished(record)) throw refusal();
  return record;
}

/**
 * The problem for a submission that is not accepted: the same for opt-outs, domains that ask not to be published, and names that are not
 * public. A client can infer that a name is one of these, but only for one name at a time, within the submission limit.
 */
export function domainNotAccepted(): ProblemError {
  return new ProblemError(
    404,
    'This domain is not accepted: its name is not public, or its owner does not want it to be listed.',
  );
}

export function unknownDomain(): ProblemError {
  return new ProblemError(404, 'The domain is unknown or asks not to be published.');
}
