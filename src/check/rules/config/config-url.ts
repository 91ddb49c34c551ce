import { hostOf } from '../../../domain/domain.ts';
import { parseDomain } from '../../../domain/parse-domain.ts';
import { configOf } from '../../documents/config-of.ts';
import { showValue } from '../../documents/show-value.ts';
import type { Evidence } from '../../evidence.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cureFor = (domain: string) => `Set the address in \`.env\`:

    APP_URL=https://${domain}

Then let Loops read it anew:

    php artisan config:cache`;

export const configUrl: Rule = {
  id: 'config-url',
  area: 'config',
  worst: 'fail',
  title: 'app.url is the https address of this host',
  checks:
    '`app.url` is an absolute https address of the host that is checked, without user name, path or query. `localhost`, an address that is not public and what is no address fail; another host, plain http and a path warn.',
  why: 'Clients build links from it, and Loops itself builds links and the names of its accounts in the federation from the same setting. A directory takes another host in it for the one that this server speaks for.',
  sources: ['Interface specification 2.5'],
  cure: cureFor('DOMAIN'),
  judge(evidence) {
    const value = configOf(evidence)?.config.appUrl ?? null;
    return value === null ? null : judgeUrl(value, evidence);
  },
};

function judgeUrl(value: string, { domain }: Evidence) {
  const cure = cureFor(domain);
  const shown = `app.url is ${showValue(value)}`;
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return fail(`${shown}, which is no absolute http or https address.`, cure);
  const ownSuffix = hostOf(domain).split('.').at(-1) ?? '';
  const named = parseDomain(url.host, { allowSuffixes: [ownSuffix] });
  if (!named.ok) return fail(`${shown}, which is no public host: nobody else can reach it.`, cure);
  if (url.username !== '' || url.password !== '') return fail(`${shown}, and gives a user name away.`, cure);
  if (named.domain !== domain) return warn(`${shown}, another host than ${domain}.`, cure);
  if (url.protocol === 'http:') return warn(`${shown}, plain http.`, cure);
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return warn(`${shown}, with something after the host.`, cure);
  return value.endsWith('/')
    ? info(`${shown}; with a slash at its end, links are written with two.`)
    : pass(`${shown}.`);
}
