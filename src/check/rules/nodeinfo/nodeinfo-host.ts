import { hostOf } from '../../../domain/domain.ts';
import { parseHref } from '../../../identify/parse-href.ts';
import { discoveryOf } from '../../documents/discovery-of.ts';
import { linkOf20 } from '../../documents/links-of.ts';
import { namesAppUrl } from '../../documents/names-app-url.ts';
import { nodeInfoOf } from '../../documents/nodeinfo-of.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

export const nodeInfoHost: Rule = {
  id: 'nodeinfo-host',
  area: 'nodeinfo',
  worst: 'info',
  title: 'NodeInfo is on the host itself',
  checks:
    'Whether the `href` of the 2.0 entry leads to the host that was asked. Another one is allowed, and may be meant.',
  why: 'A document on another host speaks for that host as well: Loopscout follows it and flags it, and where both are servers of the service, one of the two is listed. Some clients refuse it.',
  sources: ['Interface specification 4.4'],
  cure: `If it is not meant, name the own host, as Loops does by its address in \`.env\`:

    APP_URL=https://DOMAIN

Then let Loops read it anew:

    php artisan config:cache`,
  judge(evidence) {
    const document = discoveryOf(evidence);
    const href = document === null ? null : linkOf20(document)?.href;
    const parsed = typeof href === 'string' ? parseHref(href) : null;
    if (parsed === null || namesAppUrl(parsed.url, evidence)) return null;
    const { hostname } = parsed.url;
    if (hostname === hostOf(evidence.domain)) return pass('It is.');
    // That nothing answers there has a rule of its own.
    if (nodeInfoOf(evidence) === null) return null;
    return info(`It is on ${hostname}, and answers there. If that is meant, nothing needs to be done.`);
  },
};
