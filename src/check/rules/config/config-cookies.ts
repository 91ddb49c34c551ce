import { documentOf } from '../../documents/document-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showText } from '../../documents/show-text.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Cookies that proxies set by themselves. */
const OF_PROXIES =
  /^(?:__cf_bm|_cfuvid|cf_\w+|__cflb|__ddg\w*|incap_ses_\w*|visid_incap_\w*|nlbi_\w*|AWSALB\w*|datadome|SERVERID)$/i;

const cure = `Keep sessions out of the public part of the API: \`api.php\` belongs to the middleware group \`api\`, without \`StartSession\`. Until then, the proxy can take the cookie off:

    location = /api/v1/config { fastcgi_hide_header Set-Cookie; try_files $uri /index.php?$query_string; }`;

export const configCookies: Rule = {
  id: 'config-cookies',
  area: 'config',
  worst: 'warn',
  title: 'The configuration sets no cookie',
  checks:
    '`Set-Cookie` in the answer. Cookies that proxies are known to set by themselves are worth knowing, others warn.',
  why: 'A session is begun for every app and robot that looks in, no cache keeps the answer, and one that does hands the same session to everyone.',
  sources: ['RFC 9111 section 7.3', 'RFC 6265'],
  cure,
  judge({ answers: { config } }) {
    if (config === null || documentOf(config).kind !== 'object') return null;
    const names = (config.headers['set-cookie'] ?? []).map((cookie) => showText(cookie.split('=', 1)[0]?.trim() ?? ''));
    if (names.length === 0) return pass('It sets none.');
    const own = names.filter((name) => !OF_PROXIES.test(name));
    if (own.length === 0) return info(`The proxy in front of the server sets ${nameAll(names)}.`);
    const isShared = /\bpublic\b|s-maxage=[1-9]/i.test(config.headers['cache-control'] ?? '');
    return warn(`It sets ${nameAll(own)}${isShared ? ', and may be kept by caches with it' : ''}.`, cure);
  },
};
