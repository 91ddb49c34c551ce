import { answerWords } from '../../answer-words.ts';
import { challengeOf } from '../../challenge-of.ts';
import { isPage } from '../../is-page.ts';
import { info, pass } from '../../judgement.ts';
import { redirectTarget } from '../../redirect-target.ts';
import type { Rule } from '../../rule.ts';

/** Whether pages that there are not are told from those that there are. */
export const apiUnknownPage: Rule = {
  id: 'api-unknown-page',
  area: 'api',
  worst: 'info',
  title: 'Unknown pages are answered 404, or with the web app',
  checks:
    'Asks for a page whose name is drawn at random. Passes 404, and 200 with the web app, which is how Loops answers; notes anything else.',
  why: 'Programs look for feeds, `security.txt` and the like by asking for them. Where every address answers 200, they cannot tell whether there is one; a redirect or a document for every name misleads them further.',
  sources: ['RFC 9110 section 15.5.5'],
  cure: 'Let the web server pass what it does not know to Loops, and redirect nothing itself. In nginx:\n\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }',
  judge({ answers }) {
    const exchange = answers['unknown-page'];
    if (exchange === null || exchange.status === null || exchange.failure !== null) return null;
    if (exchange.status === 429 || exchange.status >= 500 || challengeOf(exchange) !== null) return null;
    // Where the home page is redirected too, everything is, and that page is what to look at.
    if (redirectTarget(exchange) !== null && redirectTarget(answers.home) !== null) return null;
    if (exchange.status >= 400) return pass(`A page that there is not gives ${answerWords(exchange)}.`);
    const said = `A page that there is not gives ${answerWords(exchange)}`;
    return exchange.status === 200 && isPage(exchange)
      ? pass(`${said}: the web app, as Loops does it.`)
      : info(`${said}.`);
  },
};
