import type { Domain } from '../model/domain/domain.ts';
import { type DomainRefusal, parseDomain } from '../model/domain/parse-domain.ts';
import type { Settings } from './schema.ts';

/** A text that names no visitable domain. */
export interface RefusedDomain {
  readonly text: string;
  readonly reason: DomainRefusal;
  readonly detail: string;
}

/** The message lists every refused text, each with the reason. */
export class DomainsError extends Error {
  override readonly name = 'DomainsError';
  readonly kind = 'setting';
  readonly refused: readonly RefusedDomain[];

  constructor(refused: readonly RefusedDomain[]) {
    const lines = refused.map(({ text, reason, detail }) => `${text}: ${reason}, ${detail}`);
    super(`not a domain that can be visited:\n  ${lines.join('\n  ')}`);
    this.refused = refused;
  }
}

/** @throws {DomainsError} when one of the texts is refused. */
export function parseDomains(texts: readonly string[], settings: Settings): Domain[] {
  const parses = texts.map((text) => ({ text, parse: parseDomain(text, settings.domains) }));
  const refused = parses.flatMap(({ text, parse }) =>
    parse.ok ? [] : [{ text, reason: parse.reason, detail: parse.detail }],
  );
  if (refused.length > 0) throw new DomainsError(refused);
  return parses.flatMap(({ parse }) => (parse.ok ? [parse.domain] : []));
}
