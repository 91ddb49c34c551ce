import type { Evidence } from '../evidence.ts';
import { documentOf } from './document-of.ts';

/**
 * Whether the host redirects to another, which may be dead: then that is what there is to say, by the rule of config's status, and
 * nothing else.
 */
export function movedAway({ visit, answers, domain }: Evidence): boolean {
  if (visit.verdict === 'alias') return true;
  const [config, discovery] = [documentOf(answers.config), documentOf(answers.discovery)];
  if (config.kind !== 'redirect' || discovery.kind !== 'redirect') return false;
  const host = config.to?.host;
  return host !== undefined && host !== '' && host !== domain && discovery.to?.host === host;
}
