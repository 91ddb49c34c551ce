import { asObject, property } from '../../../identify/json.ts';
import { answerWords } from '../../answer-words.ts';
import { challengeOf } from '../../challenge-of.ts';
import { contentTypeOf } from '../../documents/content-type-of.ts';
import { isHtml } from '../../documents/is-html.ts';
import { showText } from '../../documents/show-text.ts';
import { showValue } from '../../documents/show-value.ts';
import type { Evidence } from '../../evidence.ts';
import type { Exchange } from '../../exchange.ts';
import { federates } from '../../federates.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Judgement, Rule } from '../../rule.ts';
import { isActivityType } from './is-activity-type.ts';

export const LET_WELL_KNOWN_THROUGH =
  'Let the web server pass /.well-known/ to Loops. A rule against hidden files (`location ~ /\\.`) must leave it out; in nginx, above that rule:\n\n    location ^~ /.well-known/ {\n        try_files $uri /index.php?$query_string;\n    }';
const urlCure = (domain: string) =>
  `The addresses come from the .env of Loops; set it to the name that the server is checked under:\n\n    APP_URL=https://${domain}\n\nThen let Loops read it anew:\n\n    php artisan config:cache`;

/** Whether the actor of the server itself can be found. */
export const federationWebfinger: Rule = {
  id: 'federation-webfinger',
  area: 'federation',
  worst: 'fail',
  title: 'WebFinger leads to the actor of the server',
  checks:
    'Asks `/.well-known/webfinger` for `acct:DOMAIN@DOMAIN`. Fails for a page, a refusal, and a descriptor without a `self` link of type `application/activity+json` to https on this host; warns for 404 in JSON, another subject, and a content type that is no JSON. Does not concern a server that says it does not federate.',
  why: 'WebFinger is how other servers turn `@name@host` into an account. When it does not work, nobody on another server can find, follow or mention anybody here.',
  sources: ['RFC 7033', 'ActivityPub and WebFinger (W3C SocialCG report)'],
  cure: LET_WELL_KNOWN_THROUGH,
  judge(evidence) {
    const exchange = evidence.answers.webfinger;
    if (!federates(evidence) || exchange === null || exchange.status === 429 || challengeOf(exchange) !== null)
      return null;
    // A server error is told by another rule.
    if ((exchange.status ?? 0) >= 500) return null;
    const said = `WebFinger gives ${answerWords(exchange)}`;
    const json = jsonOf(exchange);
    if (exchange.status === 200 && json !== null) return ofDescriptor(exchange, json, evidence);
    if (exchange.status === 404 && json !== null) {
      return warn(
        `${said} for the server's own actor, acct:${evidence.domain}@${evidence.domain}.`,
        urlCure(evidence.domain),
      );
    }
    const isWhole = exchange.status === 200 && exchange.failure === null;
    const what = isHtml(exchange) ? ': the web app came in place of the descriptor' : ', which is no JSON object';
    return fail(
      `${said}${isWhole ? what : ''}. Nobody of this server can be found from another one.`,
      LET_WELL_KNOWN_THROUGH,
    );
  },
};

function ofDescriptor(exchange: Exchange, json: object, { domain }: Evidence): Judgement {
  const descriptor = asObject(json);
  const links = property(descriptor, 'links');
  const self = (Array.isArray(links) ? links : [])
    .map(asObject)
    .find((link) => property(link, 'rel') === 'self' && isActivityType(property(link, 'type')));
  const href = property(self ?? null, 'href');
  if (typeof href !== 'string') {
    return fail(
      'The WebFinger descriptor has no link with rel "self" and type "application/activity+json": it leads to no actor.',
      'Update Loops, and forget what is cached of an older version:\n\n    php artisan optimize:clear',
    );
  }
  const to = URL.parse(href);
  if (to === null || to.protocol !== 'https:' || to.host !== domain) {
    return fail(
      `The self link of WebFinger is ${showText(href)}, and not https on ${domain}: other servers refuse it.`,
      urlCure(domain),
    );
  }
  const subject = property(descriptor, 'subject');
  if (typeof subject !== 'string' || !isSameAccount(subject, domain)) {
    return warn(
      `The subject of the WebFinger descriptor is ${showValue(subject)}, and not acct:${domain}@${domain}.`,
      urlCure(domain),
    );
  }
  const type = contentTypeOf(exchange);
  if (type === 'application/json')
    return info(
      'WebFinger answers with application/json; RFC 7033 wants application/jrd+json. Other servers take both.',
    );
  if (type !== 'application/jrd+json') {
    return warn(
      `The content type of WebFinger is ${type === null ? 'missing' : showText(type)}, and not application/jrd+json: strict servers refuse it.`,
      'Take out what sets another type in the web server (`default_type`, `types`, `add_header Content-Type`). In nginx:\n\n    location ^~ /.well-known/ {\n        try_files $uri /index.php?$query_string;\n    }',
    );
  }
  return pass(`WebFinger leads to ${showText(href)}.`);
}

function isSameAccount(subject: string, domain: string): boolean {
  return subject.toLowerCase() === `acct:${domain}@${domain}`;
}
