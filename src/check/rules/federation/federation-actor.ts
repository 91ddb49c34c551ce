import { answerWords } from '../../answer-words.ts';
import { challengeOf } from '../../challenge-of.ts';
import { isHtml } from '../../documents/is-html.ts';
import { showText } from '../../documents/show-text.ts';
import { federates } from '../../federates.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { isActivityType } from './is-activity-type.ts';

const CURE =
  'Let the web server pass /ap/ to Loops with the header `Accept` as it came, and let no cache give the page of a browser to another server. In nginx:\n\n    location ^~ /ap/ {\n        try_files $uri /index.php?$query_string;\n    }\n    fastcgi_cache_bypass $http_accept;';

/** Whether the actor of the server answers as ActivityPub. */
export const federationActor: Rule = {
  id: 'federation-actor',
  area: 'federation',
  worst: 'fail',
  title: 'The actor of the server answers as ActivityPub',
  checks:
    'Asks for the actor that WebFinger names, or for `/ap/actor`, with `Accept: application/activity+json`. Fails when it does not answer 200 with a JSON object of type `application/activity+json`, or `application/ld+json` with the profile of ActivityStreams.',
  why: 'Every request of this server to another one is signed in the name of this actor. Others fetch its key here, and refuse everything when they cannot. Since a security release of 2024 Mastodon refuses other content types too.',
  sources: ['ActivityPub section 3.2', 'RFC 9421', 'GHSA-jhrq-qvrm-qr36 (Mastodon)'],
  cure: CURE,
  judge(evidence) {
    const exchange = evidence.answers.actor;
    if (!federates(evidence) || exchange === null || exchange.status === 429 || challengeOf(exchange) !== null)
      return null;
    if ((exchange.status ?? 0) >= 500) return null;
    const said = `The actor gives ${answerWords(exchange)}`;
    if (exchange.status === 401 || exchange.status === 403) {
      return fail(
        `${said}: other servers cannot fetch the key of this one.`,
        `The actor of the server must be there for everybody, without a signature. ${CURE}`,
      );
    }
    if (exchange.status !== 200 || exchange.failure !== null)
      return fail(`${said}: other servers cannot fetch the key of this one.`, CURE);
    if (jsonOf(exchange) === null) {
      return fail(
        `${said}${isHtml(exchange) ? ': the web app came in place of the actor' : ', which is no JSON object'}.`,
        CURE,
      );
    }
    const type = exchange.headers['content-type'];
    if (!isActivityType(type)) {
      return fail(
        `The content type of the actor is ${type === undefined ? 'missing' : showText(type)}, and not application/activity+json: other servers refuse it.`,
        `Take out what sets another type in the web server (\`default_type\`, \`types\`, \`add_header Content-Type\`). ${CURE}`,
      );
    }
    return pass('The actor answers as application/activity+json.');
  },
};
