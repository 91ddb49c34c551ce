import type { Domain } from '../../model/domain/domain.ts';
import { parseDomain } from '../../model/domain/parse-domain.ts';
import type { SiteContext } from '../site-page.ts';

/** The domain that a visitor wrote; null when it cannot be one of a public server. */
export function domainIn(text: string, { allowSuffixes }: Pick<SiteContext, 'allowSuffixes'>): Domain | null {
  const parsed = parseDomain(text, { allowSuffixes: allowSuffixes() });
  return parsed.ok ? parsed.domain : null;
}
