import { answerWords } from '../../answer-words.ts';
import { apiIsPages } from '../../api-is-pages.ts';
import { challengeOf } from '../../challenge-of.ts';
import { isService } from '../../is-service.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const CURE =
  'Let the web server pass the request to Loops with all its headers, `Accept` and `Authorization` among them, and put no login of its own before /api/. In nginx with PHP-FPM:\n\n    auth_basic off;\n    fastcgi_pass_header Authorization;\n    fastcgi_intercept_errors off;';

/** Whether what needs a token is refused without one. */
export const apiSelf: Rule = {
  id: 'api-self',
  area: 'api',
  worst: 'fail',
  title: 'What needs a token is refused without one, in JSON',
  checks:
    'Asks `GET /api/v1/account/info/self` without a token. It should answer 401 in JSON. Fails for data, and for 404; warns for a redirect, a page or another status.',
  why: 'The 401 is how an app learns that it has to sign in again. A redirect to a page of sign-in leaves it with HTML that it cannot read.',
  sources: ['Specification section 4, endpoint 5', 'RFC 6750 section 3.1', 'RFC 9110 section 15.5.2'],
  cure: CURE,
  judge(evidence) {
    const exchange = evidence.answers['self-without-token'];
    if (!isService(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    if (status === 429 || status >= 500 || apiIsPages(evidence) || challengeOf(exchange) !== null) return null;
    const json = jsonOf(exchange);
    const said = `GET /api/v1/account/info/self without a token gives ${answerWords(exchange)}`;
    if (status < 300 && json !== null) {
      return fail(
        `${said}: an account, to anybody.`,
        'Something in front of Loops adds a token to requests, or answers from a cache. Take `Authorization` out of what the proxy sets, and never cache /api/:\n\n    proxy_set_header Authorization $http_authorization;\n    proxy_no_cache $http_authorization;',
      );
    }
    if (status === 404) return fail(`${said}: apps cannot learn who has signed in.`, CURE);
    if (status === 401 && json !== null) return pass(`${said}.`);
    return warn(`${said}, and not 401 in JSON.`, CURE);
  },
};
