import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that another site made it send this form. `Origin` is `null` in forms of the consent pages themselves,
 * because they give no referrer; `Sec-Fetch-Site` then tells the two apart, and the token of the form does in any case.
 */
export function isForeign({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined || origin === 'null') return false;
  return !URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase();
}
