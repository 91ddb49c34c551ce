import type { Evidence } from '../evidence.ts';
import { configOf } from './config-of.ts';

/** Whether an address is on the host that `app.url` wrongly names: Loops builds both from one setting, and config's rule names it. */
export function namesAppUrl(url: URL, evidence: Evidence): boolean {
  const appUrl = URL.parse(configOf(evidence)?.config.appUrl ?? '');
  return appUrl !== null && appUrl.host === url.host && url.host !== evidence.domain;
}
