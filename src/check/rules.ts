import type { Rule } from './rule.ts';
import { agreementRules } from './rules/agreement.ts';
import { apiRules } from './rules/api.ts';
import { configRules } from './rules/config.ts';
import { dnsRules } from './rules/dns.ts';
import { federationRules } from './rules/federation.ts';
import { forOtherSoftware } from './rules/for-other-software.ts';
import { httpRules } from './rules/http.ts';
import { nodeinfoRules } from './rules/nodeinfo.ts';
import { oauthRules } from './rules/oauth.ts';
import { robotsRules } from './rules/robots.ts';
import { tlsRules } from './rules/tls.ts';

/** Every rule, in the order of a report's areas. */
export const RULES: readonly Rule[] = [
  ...dnsRules,
  ...tlsRules,
  ...httpRules,
  ...robotsRules,
  ...configRules,
  ...nodeinfoRules,
  ...agreementRules,
  ...apiRules,
  ...oauthRules,
  ...federationRules,
].map(forOtherSoftware);
