import { z } from 'zod';
import type { Domain } from '../../model/domain/domain.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import { type DomainRecord, mayBePublished } from '../../model/domain-record.ts';
import { ProblemError } from '../answers/problems.ts';
import type { ApiContext } from '../api-context.ts';

/** The parameter of paths that are about one domain. */
export const DomainParameter = z.object({
  domain: z
    .string()
    .min(1)
    .max(300)
    .meta({ description: 'Host name, with the port when it is not 443: `loops.example`.', example: 'loops.example' }),
});

/**
 * The domain that a path or body names, as people write it.
 * @param refusal of a name that none can have that is known.
 * @throws {ProblemError} 400 when it is none, 404 when it can be none that is known.
 */
export function domainOf(
  { domain: text = '' }: Readonly<Record<string, string>>,
  context: ApiContext,
  refusal: () => ProblemError = notKnown,
  where: 'path' | 'body' = 'path',
): Domain {
  const parsed = parseDomain(text, { allowSuffixes: context.allowSuffixes() });
  if (parsed.ok) return parsed.domain;
  if (parsed.reason === 'reserved-suffix' || parsed.reason === 'unknown-suffix') throw refusal();
  const errors = [{ parameter: 'domain', detail: `is no domain: ${parsed.detail}` }];
  throw new ProblemError(400, `The ${where} does not name a domain; write a host name such as loops.example.`, {
    errors,
  });
}

/**
 * A domain that is known and may be published.
 * @throws {ProblemError} 404, the same for one that is not known, opted out, or asks to be left out.
 */
export function publishedRecord(
  domain: Domain,
  { reader }: Pick<ApiContext, 'reader'>,
  refusal: () => ProblemError = notKnown,
): DomainRecord {
  const record = reader.find(domain);
  if (record === null || !mayBePublished(record)) throw refusal();
  return record;
}

/**
 * The answer to who hands in a domain that is not taken: the same for one that opted out, one that asks to be left out, and a name that is not
 * public, and never why. That it is one of these can be told, since any other name is visited: one name at a time, so many an hour for an address.
 */
export function notTaken(): ProblemError {
  return new ProblemError(
    404,
    'This domain is not taken: its name is none of the public internet, or its owner does not wish to be listed.',
  );
}

export function notKnown(): ProblemError {
  return new ProblemError(404, 'No such domain is known, or it does not wish to be published.');
}
