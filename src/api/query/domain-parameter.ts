import { z } from 'zod';
import type { Domain } from '../../domain/domain.ts';
import { parseDomain } from '../../domain/parse-domain.ts';
import type { DomainRecord } from '../../record/domain-record.ts';
import { mayBePublished } from '../../record/may-be-published.ts';
import { ProblemError } from '../answers/problem-error.ts';
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
 * The domain that a path names, as people write it.
 * @throws {ProblemError} 400 when it is none, 404 when it can be none that is known.
 */
export function domainOf({ domain: text = '' }: Readonly<Record<string, string>>, context: ApiContext): Domain {
  const parsed = parseDomain(text, { allowSuffixes: context.allowSuffixes() });
  if (parsed.ok) return parsed.domain;
  if (parsed.reason === 'reserved-suffix' || parsed.reason === 'unknown-suffix') throw notKnown();
  const errors = [{ parameter: 'domain', detail: `is no domain: ${parsed.detail}` }];
  throw new ProblemError(400, 'The path does not name a domain.', { errors });
}

/**
 * A domain that is known and may be published.
 * @throws {ProblemError} 404, the same for one that is not known, opted out, or asks to be left out.
 */
export function publishedRecord(domain: Domain, { reader }: Pick<ApiContext, 'reader'>): DomainRecord {
  const record = reader.find(domain);
  if (record === null || !mayBePublished(record)) throw notKnown();
  return record;
}

export function notKnown(): ProblemError {
  return new ProblemError(404, 'No such domain is known, or it does not wish to be published.');
}
