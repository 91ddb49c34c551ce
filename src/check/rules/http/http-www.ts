import type { HttpFailure } from '../../../http/failure.ts';
import { answerWords } from '../../answer-words.ts';
import { isHtml } from '../../documents/is-html.ts';
import { showText } from '../../documents/show-text.ts';
import type { Evidence } from '../../evidence.ts';
import type { Exchange } from '../../exchange.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import { redirectTarget } from '../../redirect-target.ts';
import type { Rule } from '../../rule.ts';

const cureFor = (twin: string, name: string) =>
  `Let ${twin} redirect, or take it out of the DNS. In nginx:\n\n    server {\n        listen 443 ssl;\n        listen [::]:443 ssl;\n        server_name ${twin};\n        return 301 https://${name}$request_uri;\n    }`;

/** Whether the name with `www.`, or the one without it, is no second copy of the server. */
export const httpWww: Rule = {
  id: 'http-www',
  area: 'http',
  worst: 'fail',
  title: 'www and the bare name lead to one site',
  checks:
    'Asks for the home page of the same name with `www.`, or without it. It should redirect to the name that is checked, or not exist. Warns for a copy of the site and for a name that exists and does not work; fails when the two redirect to each other.',
  why: 'An account belongs to one host name: `@ada@loops.example`. A copy under another name is a second server to everybody else, whose links, sign-ins and accounts do not fit together.',
  sources: ['RFC 9110 section 15.4', 'RFC 7033'],
  cure: cureFor('www.loops.example', 'loops.example'),
  judge(evidence) {
    const { answers, dns, domain } = evidence;
    const exchange = answers['home-www'];
    if (exchange === null) return null;
    const { status, failure, url } = exchange;
    const twin = new URL(url).host;
    const cure = cureFor(twin, dns.name);
    if (failure === 'dns-nxdomain' || failure === 'dns-no-address')
      return pass(`${twin} does not exist, which is well.`);
    if (failure?.startsWith('dns-') === true || failure === 'no-route') return null;
    // What is wrong with the host itself has rules of its own, and is likely wrong with both names.
    if (status === null && isBrokenLike(failure, evidence)) return null;
    if (failure === 'forbidden-address')
      return warn(
        `${twin} has an address that is not public.`,
        `Take ${twin} out of the DNS, or give it the address of the server and let it redirect.`,
      );
    if (status === null)
      return warn(
        `${twin} is in the DNS, but gives ${answerWords(exchange)}.`,
        `${cure}\n\nIts certificate must name it too:\n\n    certbot --nginx -d ${dns.name} -d ${twin}`,
      );
    const to = redirectTarget(exchange);
    if (to !== null) {
      if (to.host !== domain)
        return to.host === twin ? null : info(`${twin} redirects to another host, ${showText(to.host)}.`);
      const isCircle = redirectTarget(answers.home)?.host === twin;
      if (isCircle)
        return fail(
          `${domain} redirects to ${twin}, and ${twin} to ${domain}: no page is ever reached.`,
          `Choose one of the two, and let it answer itself. ${cure}`,
        );
      return pass(`${twin} redirects to ${domain}.`);
    }
    if (redirectTarget(answers.home)?.host === twin)
      return info(`${domain} redirects to ${twin}: accounts belong to the name that app.url names.`);
    if (status < 200 || status >= 300) return info(`${twin} gives ${answerWords(exchange)}.`);
    if (!isCopy(answers.home, exchange)) return info(`${twin} is another site.`);
    return warn(`${twin} shows the same site as ${domain}, and does not redirect to it.`, cure);
  },
};

/** Whether the host that is checked fails as its twin does, over one family or both. */
function isBrokenLike(failure: HttpFailure | null, { tls, answers }: Evidence): boolean {
  return answers.home?.failure === failure || tls?.handshakes.some((handshake) => handshake.failure !== null) === true;
}

/** Pages differ from one request to the next (tokens for forms, times), but not in their title. */
function isCopy(home: Exchange | null, twin: Exchange): boolean {
  if (home === null || home.status !== twin.status) return false;
  if (Buffer.compare(home.body, twin.body) === 0) return true;
  return isHtml(home) && isHtml(twin) && titleOf(home) !== null && titleOf(home) === titleOf(twin);
}

function titleOf({ body }: Exchange): string | null {
  const [, title] = /<title[^>]*>([^<]{1,300})/i.exec(new TextDecoder().decode(body.subarray(0, 16_384))) ?? [];
  return title?.trim() ?? null;
}
