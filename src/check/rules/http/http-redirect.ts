import { answerWords } from '../../answer-words.ts';
import { showText } from '../../documents/show-text.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cureFor = (name: string) =>
  `In nginx, a server of its own for port 80, and then reload it:\n\n    server {\n        listen 80;\n        listen [::]:80;\n        server_name ${name};\n        return 301 https://$host$request_uri;\n    }`;

/** Whether plain http leads to https. */
export const httpRedirect: Rule = {
  id: 'http-redirect',
  area: 'http',
  worst: 'warn',
  title: 'http:// leads to https:// on the same host and path',
  checks:
    'Asks port 80. It should answer 301 or 308 with the same host and path on https. Warns for an answer without a redirect, a temporary one, one to another host or path; notes a port 80 where nobody listens.',
  why: 'Who types the name, or follows an old link, comes by http. Pages that are served there can be read and changed on the way, sessions with them.',
  sources: ['RFC 9110 section 15.4', 'RFC 6797 section 7.2'],
  cure: cureFor('loops.example'),
  judge({ answers, dns }) {
    const exchange = answers['home-http'];
    if (exchange === null || exchange.status === 429) return null;
    const { status, headers, url, failure } = exchange;
    const cure = cureFor(dns.name);
    if (status === null) {
      return info(
        `Port 80 gives ${answerWords(exchange)}. Who types the name without https:// may get nothing; certificates by the http-01 challenge need it too.`,
      );
    }
    if (failure !== null || status >= 500)
      return warn(`Port 80 gives ${answerWords(exchange)} and not a redirect.`, cure);
    const { location } = headers;
    if (status < 300 || status >= 400 || location === undefined) {
      return warn(
        `Port 80 gives ${answerWords(exchange)}: the site is there without TLS, and does not lead to https.`,
        cure,
      );
    }
    const to = URL.parse(location, url);
    const from = new URL(url);
    if (to === null || to.protocol !== 'https:')
      return warn(`Port 80 redirects to ${showText(location)}, which is not https.`, cure);
    if (to.host !== from.host) return warn(`Port 80 redirects to another host, ${showText(to.host)}.`, cure);
    if (to.pathname !== from.pathname) {
      return warn(
        `Port 80 redirects ${showText(from.pathname)} to ${showText(to.pathname)}: old links lead to the wrong page.`,
        cure,
      );
    }
    if (status !== 301 && status !== 308)
      return warn(
        `Port 80 redirects with ${status}, which is for the time being: nobody remembers it, and every visit begins without TLS.`,
        cure,
      );
    return pass(`http:// is redirected to https:// (${status}).`);
  },
};
