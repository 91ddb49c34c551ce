import { answerWords } from '../../answer-words.ts';
import { apiIsPages } from '../../api-is-pages.ts';
import { challengeOf } from '../../challenge-of.ts';
import { isHtml } from '../../documents/is-html.ts';
import { isService } from '../../is-service.ts';
import { jsonOf } from '../../json-of.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const PASS_ON =
  'Let the web server pass all of /api/ to Loops, and no error page of its own in between. In nginx, every address falls back to PHP, and not to a file of the web app:\n\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }\n    fastcgi_intercept_errors off;\n    proxy_intercept_errors off;';

/** Whether the API says of what it does not have that it is not there. */
export const apiUnknownRoute: Rule = {
  id: 'api-unknown-route',
  area: 'api',
  worst: 'warn',
  title: 'Unknown API addresses are answered 404 in JSON',
  checks:
    'Asks for an address under `/api/v1/` whose name is drawn at random. It should answer 404 (or another 4xx) in JSON. Warns for 200, for a redirect and for HTML.',
  why: 'Apps try what a server can do by asking. 200 with a page tells them that it is there, and then they fail over what they cannot read.',
  sources: ['RFC 9110 section 15.5.5', 'Specification section 4: bodies are JSON'],
  cure: PASS_ON,
  judge(evidence) {
    const exchange = evidence.answers['unknown-api-route'];
    if (!isService(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    if (status === 429 || status >= 500 || challengeOf(exchange) !== null) return null;
    const said = `An API address that there is not gives ${answerWords(exchange)}`;
    if (apiIsPages(evidence)) return warn(`${said}: the web app, as if it were there.`, PASS_ON);
    if (status < 400) return warn(`${said}.`, PASS_ON);
    if (jsonOf(exchange) !== null) return pass(`${said}.`);
    return warn(
      `${said}${isHtml(exchange) ? ': an error page that is not of Loops' : ', which is not JSON'}.`,
      PASS_ON,
    );
  },
};
