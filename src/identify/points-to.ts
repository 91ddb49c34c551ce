import { type Domain, hostOf } from '../domain/domain.ts';
import { REDACTED_NAME } from '../domain/opt-out-names.ts';
import { parseDomain } from '../domain/parse-domain.ts';
import type { Answer } from './ask.ts';

export interface Pointers {
  domain: Domain;
  /** What the config probe came to. */
  config: Answer;
  /** The host that the NodeInfo document is on. */
  nodeInfoOn: string | null;
  /** `app.url` as config has it. */
  appUrl: string | null;
  allowSuffixes: readonly string[];
}

/**
 * The other host that an instance names as the one it speaks for: where its config redirects, else where its NodeInfo is,
 * else its `app.url`. Null when it names none but itself. Of two instances that name each other, one is listed.
 */
export function pointsTo({ domain, config, nodeInfoOn, appUrl, allowSuffixes }: Pointers): Domain | null {
  const own = hostOf(domain).split('.').at(-1) ?? '';
  for (const text of [config.kind === 'redirected' ? config.to : null, nodeInfoOn, appUrl]) {
    if (text === null) continue;
    const named = parseDomain(text, { allowSuffixes: [...allowSuffixes, own, REDACTED_NAME] });
    if (named.ok && named.domain !== domain) return named.domain;
  }
  return null;
}
