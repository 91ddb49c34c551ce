import { hostOf, portOf } from '../../../domain/domain.ts';
import { parseDomain } from '../../../domain/parse-domain.ts';
import { parseHref } from '../../../identify/parse-href.ts';
import { isUsualPort } from '../../../identify/usual-port.ts';
import { discoveryOf } from '../../documents/discovery-of.ts';
import { linkOf20 } from '../../documents/links-of.ts';
import { namesAppUrl } from '../../documents/names-app-url.ts';
import { showValue } from '../../documents/show-value.ts';
import type { Evidence } from '../../evidence.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cureFor = (domain: string) => `Name the whole address, with https, this host and no port:

    https://${domain}/nodeinfo/2.0

Loops builds it from its own address, so this usually cures it, in \`.env\`:

    APP_URL=https://${domain}

Then let Loops read it anew:

    php artisan config:cache`;

export const nodeInfoHref: Rule = {
  id: 'nodeinfo-href',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'The address of NodeInfo is a whole https address',
  checks:
    'The `href` of the 2.0 entry: absolute, on a public host, without user name, on port 80, 443 or that of the server. Plain http warns; a doubled slash or a fragment is worth knowing.',
  why: 'Clients follow the address exactly as it is given. Loopscout completes nothing, and goes to no port that is not of the web: what cannot be followed is not read.',
  sources: ['Interface specification 4.4', 'RFC 3986 section 4.3'],
  cure: cureFor('DOMAIN'),
  judge(evidence) {
    const document = discoveryOf(evidence);
    const link = document === null ? null : linkOf20(document);
    return link === null ? null : judgeHref(link.href, evidence);
  },
};

function judgeHref(href: unknown, evidence: Evidence) {
  const { domain } = evidence;
  const cure = cureFor(domain);
  if (href === undefined || href === null) return fail('The entry has no href.', cure);
  if (typeof href !== 'string') return fail(`href is ${showValue(href)}, not a string.`, cure);
  const shown = `href is ${showValue(href)}`;
  const parsed = parseHref(href);
  if (parsed === null) return fail(`${shown}, ${whyNone(href)}.`, cure);
  const { url, target } = parsed;
  if (namesAppUrl(url, evidence)) return null;
  const ownSuffix = hostOf(domain).split('.').at(-1) ?? '';
  if (!parseDomain(url.host, { allowSuffixes: [ownSuffix] }).ok)
    return fail(`${shown}, which is on no public host.`, cure);
  if (!isUsualPort(url, domain))
    return fail(
      `${shown}, on port ${url.port}; Loopscout goes to 80, 443${portOf(domain) === 443 ? '' : ` and ${portOf(domain)}`} alone.`,
      cure,
    );
  if (url.protocol === 'http:') return warn(`${shown}, plain http.`, cure);
  if (target.split('?', 1)[0]?.includes('//') === true) return info(`${shown}, with a doubled slash.`);
  return href.includes('#') ? info(`${shown}, with a fragment that is not sent.`) : pass(`${shown}.`);
}

function whyNone(href: string): string {
  if (href.trim() === '') return 'which is empty';
  if (href.length > 500) return 'which is over 500 characters long';
  if (/^https?:\/\/[^/?#]*@/i.test(href)) return 'which holds a user name';
  if (/^https?:\/\//i.test(href)) return 'which has characters that no address has, or no host';
  if (href.startsWith('/')) return 'which has no host: it must be a whole address';
  return /^[a-z][a-z0-9+-]*:\/\//i.test(href) ? 'which is neither https nor http' : 'which has no https:// before it';
}
