import type { Domain } from '../domain/domain.ts';
import { type Decision, unidentified } from './decision.ts';
import { parseJsonObject } from './json.ts';
import { type Href, parseHref } from './parse-href.ts';
import { PARSERS, type Parsers } from './parsers.ts';
import { isUsualPort } from './usual-port.ts';

/** Where the body of a discovery answer says that the NodeInfo document is, or what it alone makes of the host. Pure. */
export function interpretDiscovery(body: Uint8Array, domain: Domain, parsers: Parsers = PARSERS): Href | Decision {
  const links = parseJsonObject(body);
  if (links === null) return unidentified('discovery-not-json');
  const advertised = parsers.discovery(links);
  if (advertised === null) return unidentified('no-nodeinfo-2.0-link');
  const href = parseHref(advertised.href ?? '');
  if (href === null) return unidentified('href-invalid');
  return isUsualPort(href.url, domain) ? href : unidentified('href-refused');
}
