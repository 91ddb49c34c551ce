import { showText } from '../../documents/show-text.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { judgeableAnswer, PASS_ON, saidTo } from './refusal-of.ts';

/** Whether the page that apps send people to is there, and sends nobody to a stranger. */
export const oauthAuthorize: Rule = {
  id: 'oauth-authorize',
  area: 'oauth',
  worst: 'fail',
  title: 'The page to approve an app on is there, and refuses unknown apps',
  checks:
    'Asks `GET /oauth/authorize` for an app that is not registered. It should be refused, or lead to the sign-in of this server. Fails for 404, and for a redirect to another host.',
  why: 'Every app sends people here to sign in. A server that sends them on to an address which nobody registered can be used to lure them anywhere.',
  sources: ['Specification sections 4.1 and 5', 'RFC 6749 section 4.1.2.1', 'RFC 9700 section 4.11'],
  cure: PASS_ON,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'authorize');
    if (exchange === null) return null;
    const { status, headers, url } = exchange;
    const said = saidTo('GET /oauth/authorize for an unknown app', exchange);
    if (status >= 300 && status < 400) {
      const to = URL.parse(headers.location ?? '', url);
      if (to !== null && to.host === new URL(url).host) return pass(`${said}.`);
      const where = to === null ? 'nowhere' : showText(to.host);
      return fail(
        `${said}: people are sent on to ${where}, which nobody has registered.`,
        `If a proxy does that, take the redirect out. If it is Loops, it is a security hole: update it, and report it to its developers.\n\n    php artisan optimize:clear`,
      );
    }
    if (status === 404 || status === 405)
      return fail(
        `${said}: people cannot sign in with an app.`,
        `${PASS_ON}\n\nWhere the routes of an older version are still cached, that is forgotten with:\n\n    php artisan optimize:clear`,
      );
    if (status < 300) return info(`${said}: an unknown app is not refused at once.`);
    return status === 400 || status === 401 || status === 403 || status === 422
      ? pass(`${said}.`)
      : warn(`${said}; 400 or 401 was to be expected.`, PASS_ON);
  },
};
