import type { Domain } from '../../model/domain/domain.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import type { SiteContext } from '../site-page.ts';

/** Parses what a user entered as a domain; null when no public server can have that domain. */
export function parseEnteredDomain(text: string, { allowSuffixes }: SiteContext): Domain | null {
  const parsed = parseDomain(text, { allowSuffixes: allowSuffixes() });
  return parsed.ok ? parsed.domain : null;
}
