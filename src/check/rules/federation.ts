import { asObject, type JsonObject, property } from '../../identify/field-reader.ts';
import { type Domain, isLocal, originOf } from '../../model/domain/domain.ts';
import { answerWords, challengeOf, contentTypeOf, isHtml, jsonOf } from '../answers.ts';
import {
  answerCure,
  CHANGED_CODE_CURE,
  CONTENT_TYPE_CURE,
  HIDDEN_FILES_CURE,
  HOST_CURE,
  PASS_TO_LOOPS_LINES,
  SCHEME_CURE,
} from '../cures.ts';
import { configOf, documentOf } from '../documents/document.ts';
import type { CheckExchange, Evidence } from '../evidence.ts';
import { fail, info, type Judgement, listItems, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { causeInAnswer } from '../server-error.ts';
import { allAnswersFail, declaresFederation, isLoops, isWellKnownBlocked } from '../server-state.ts';

const INBOX_PATH = '/ap/inbox';
const INBOX_ROUTE_CURE =
  'Make the web server pass POST requests under /ap/ to Loops. In nginx:\n\n    location ^~ /ap/ {\n        try_files $uri /index.php?$query_string;\n    }\n\nIf the routes of an older version are still cached, clear them:\n\n    php artisan optimize:clear';
const INBOX_REDIRECT_CURE =
  'Remove the redirect for this path: other servers do not repeat a delivery elsewhere. This finds the redirects of nginx:\n\n    grep -rnE "return 30|rewrite " /etc/nginx/';

export const federationInbox: Rule = {
  id: 'federation-inbox',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The shared inbox answers, and refuses unsigned deliveries',
  checks:
    'Sends an empty JSON object without a signature to `POST /ap/inbox`. Loops answers 401 (403 with authorised fetch, 404 while federation is off); any 4xx passes, except 404 and 405 while federation is on, which warn. Fails for a server error, for no complete answer and for a page with status 2xx; warns for a redirect and an accepted delivery. Judges no 429. Only the command `check` sends this request.',
  why: 'Other servers deliver videos, follows and comments here. While it fails they postpone their deliveries, and after some days they give up. What Loops does with an accepted delivery cannot be seen from outside: `php artisan horizon:status` shows whether its queue works.',
  sources: ['ActivityPub section 7.1.3', 'RFC 9110 section 15.6'],
  cure: 'Before Loops looks for a signature, it only reads its settings from the cache and the database, so one of these probably fails. The log contains the cause:\n\n    tail -n 50 storage/logs/laravel.log\n\nAfter an update, run the migrations and clear the caches of the old version:\n\n    php artisan migrate --force\n    php artisan optimize:clear',
  judge(evidence) {
    const exchange = evidence.answers.inbox;
    if (!isLoops(evidence) || exchange === null || allAnswersFail(evidence)) return null;
    if (challengeOf(exchange) !== null || exchange.status === 429) return null;
    const { status, failure } = exchange;
    const result = `POST ${INBOX_PATH} without a signature gives ${answerWords(exchange)}`;
    if (status === null || failure !== null || status >= 500) {
      const cause = causeInAnswer(exchange);
      const detail = `${result}: deliveries of other servers fail.${cause === null ? '' : ` ${cause.detail}`}`;
      const cure = status === 500 ? null : answerCure(documentOf(exchange), evidence.domain, INBOX_PATH);
      return fail(detail, cause?.cure ?? cure);
    }
    if (status < 300 && isHtml(exchange))
      return fail(`${result}: the web app was sent instead of an answer, so deliveries are lost.`, INBOX_ROUTE_CURE);
    if (status < 300) return warn(`${result}: unsigned deliveries must be refused.`, CHANGED_CODE_CURE);
    if (status < 400) return warn(`${result}: deliveries are lost.`, INBOX_REDIRECT_CURE);
    if ((status === 404 || status === 405) && declaresFederation(evidence))
      return warn(`${result}, although federation is on: deliveries are lost.`, INBOX_ROUTE_CURE);
    return pass(`${result}.`);
  },
};

const WELL_KNOWN_CURE = `Make the web server pass /.well-known/ to Loops. ${HIDDEN_FILES_CURE}`;
const ACTOR_PATH_CURE =
  'Make the web server pass /ap/ to Loops with the `Accept` header unchanged, and do not let a cache serve the browser page to another server. In nginx:\n\n    location ^~ /ap/ {\n        try_files $uri /index.php?$query_string;\n    }\n    fastcgi_cache_bypass $http_accept;';

const APP_URL_CURE =
  'Account names contain the host in the .env of Loops; set it to the public name of the server:\n\n    APP_URL=https://DOMAIN\n\nThen make Loops reload it:\n\n    php artisan config:cache';

/** The answer to a request; null if there is none, the server does not declare federation, or other rules report the answer: rate limit, challenge, server error. */
function federationAnswer(evidence: Evidence, name: 'webfinger' | 'webfinger-unknown' | 'actor'): CheckExchange | null {
  const exchange = evidence.answers[name];
  if (!declaresFederation(evidence) || exchange === null || challengeOf(exchange) !== null) return null;
  // `federation-webfinger` reports a link to an actor elsewhere.
  if (name === 'actor' && !isOwnUrl(new URL(exchange.url), evidence.domain)) return null;
  return exchange.status === 429 || (exchange.status ?? 0) >= 500 ? null : exchange;
}

/** Whether a media type is ActivityStreams JSON (ActivityPub section 3.2): its own type, or JSON-LD with the profile. */
function isActivityType(type: unknown): boolean {
  if (typeof type !== 'string') return false;
  const [essence = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (essence === 'application/activity+json') return true;
  return (
    essence === 'application/ld+json' &&
    parameters.some(
      (parameter) => parameter.startsWith('profile=') && parameter.includes('https://www.w3.org/ns/activitystreams'),
    )
  );
}

function judgeDescriptor(exchange: CheckExchange, json: object, { domain }: Evidence): Judgement {
  const descriptor = asObject(json);
  const links = property(descriptor, 'links');
  const self = (Array.isArray(links) ? links : [])
    .map(asObject)
    .find((link) => property(link, 'rel') === 'self' && isActivityType(property(link, 'type')));
  const href = property(self ?? null, 'href');
  if (typeof href !== 'string') {
    return fail(
      'The WebFinger descriptor has no link with rel "self" and type "application/activity+json", so other servers cannot find the actor.',
      'Update Loops, and clear what an older version cached:\n\n    php artisan optimize:clear',
    );
  }
  const to = URL.parse(href);
  if (to === null || !isOwnUrl(to, domain)) {
    return fail(
      `The self link of WebFinger is ${showText(href)}; it must be an https URL on ${domain}. Other servers reject it.`,
      to?.protocol === 'http:' ? SCHEME_CURE : HOST_CURE,
    );
  }
  const subject = property(descriptor, 'subject');
  if (typeof subject !== 'string' || !(isLocal(domain) || isSameAccount(subject, domain))) {
    return warn(
      `The subject of the WebFinger descriptor is ${showValue(subject)}; it must be acct:${domain}@${domain}.`,
      APP_URL_CURE,
    );
  }
  const type = contentTypeOf(exchange);
  if (type === 'application/json')
    return info(
      'WebFinger answers with application/json; RFC 7033 requires application/jrd+json. Other servers accept both.',
    );
  if (type !== 'application/jrd+json') {
    return warn(
      `The content type of WebFinger is ${type === null ? 'missing' : showText(type)}; it must be application/jrd+json. Strict servers reject it.`,
      CONTENT_TYPE_CURE,
    );
  }
  return pass(`WebFinger leads to ${showText(href)}.`);
}

/** Whether a URL is at the https origin of the host. For a local server every URL is accepted, because it may use its public name. */
function isOwnUrl(url: URL, domain: Domain): boolean {
  return isLocal(domain) || url.origin === originOf(domain);
}

function isSameAccount(subject: string, domain: string): boolean {
  return subject.toLowerCase() === `acct:${domain}@${domain}`;
}

export const federationWebfinger: Rule = {
  id: 'federation-webfinger',
  worst: 'fail',
  cureFor: 'loops',
  title: 'WebFinger leads to the actor of the server',
  checks:
    'Requests `/.well-known/webfinger` for `acct:DOMAIN@DOMAIN`. Fails when the answer is a page, a refusal, a redirect, or a descriptor without a `self` link of an ActivityPub type to an https URL on this host; warns when it is a JSON 404, the subject differs, or the content type is neither `application/jrd+json` nor `application/json` (info). Skipped unless the server declares federation.',
  why: 'Other servers use WebFinger to resolve `@name@host` to an account. If it does not work, their users cannot find, follow or mention accounts of this server.',
  sources: ['RFC 7033', 'ActivityPub and WebFinger (W3C SocialCG report)'],
  cure: WELL_KNOWN_CURE,
  judge(evidence) {
    const exchange = federationAnswer(evidence, 'webfinger');
    // If NodeInfo discovery is blocked as well, `nodeinfo-discovery` reports the cause.
    if (exchange === null || isWellKnownBlocked(evidence)) return null;
    const result = `WebFinger gives ${answerWords(exchange)}`;
    const json = jsonOf(exchange);
    if (exchange.status === 200 && json !== null) return judgeDescriptor(exchange, json, evidence);
    if (exchange.status === 404 && json !== null && isLocal(evidence.domain))
      return info(`${result}: account names contain the public name of the server.`);
    if (exchange.status === 404 && json !== null) {
      // Loops finds its accounts only by the name in app.url; `config-url` reports another one.
      const appHost = URL.parse(configOf(evidence)?.config.appUrl ?? '')?.host;
      if (appHost !== undefined && appHost !== evidence.domain) return null;
      return warn(`${result} for the server's own actor, acct:${evidence.domain}@${evidence.domain}.`, APP_URL_CURE);
    }
    const isCompleteAnswer = exchange.status === 200 && exchange.failure === null;
    const problem = isHtml(exchange)
      ? ': the web app was sent instead of the descriptor'
      : ', which is not a JSON object';
    return fail(
      `${result}${isCompleteAnswer ? problem : ''}. No account of this server can be found from other servers.`,
    );
  },
};

export const federationWebfingerUnknown: Rule = {
  id: 'federation-webfinger-unknown',
  worst: 'warn',
  cureFor: 'loops',
  title: 'WebFinger rejects unknown accounts',
  checks:
    'Requests WebFinger for an account with a random name. The answer should be 404, but any 4xx except 429 passes. Warns for a success or a redirect; reports a refusal with a body that is not JSON as info.',
  why: 'Other servers store the accounts they find. A server that answers for every name makes them store accounts that do not exist, or parse a page as an account.',
  sources: ['RFC 7033 section 4.2'],
  cure: `WebFinger works for the server itself, so the web server replaces this answer of Loops by a page of its own. In nginx:\n\n${PASS_TO_LOOPS_LINES}`,
  judge(evidence) {
    const { webfinger } = evidence.answers;
    const exchange = federationAnswer(evidence, 'webfinger-unknown');
    if (exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    // If WebFinger does not work at all, `federation-webfinger` reports it.
    if (webfinger !== null && (jsonOf(webfinger) === null || ![200, 404].includes(webfinger.status ?? 0))) return null;
    const result = `WebFinger for a non-existent account gives ${answerWords(exchange)}`;
    if (status < 300 && isHtml(exchange)) return warn(`${result}: the web app was sent instead of an answer.`);
    if (status < 300)
      return warn(
        `${result}, so every name looks like an account.`,
        'Remove the cache or static file for this path from the web server, so that Loops answers:\n\n    location = /.well-known/webfinger {\n        try_files $uri /index.php?$query_string;\n    }',
      );
    if (status < 400) return warn(`${result}.`);
    return jsonOf(exchange) !== null || exchange.body.length === 0
      ? pass(`${result}.`)
      : info(`${result}; JSON is usual.`);
  },
};

export const federationActor: Rule = {
  id: 'federation-actor',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The actor of the server answers as ActivityPub',
  checks:
    'Requests the actor that WebFinger names, or `/ap/actor`, with `Accept: application/activity+json`. Fails unless the answer is 200 with a JSON object, sent as `application/activity+json` or as `application/ld+json` with the ActivityStreams profile. Reports 401 or 403 in JSON as info: authorised fetch is on. Other rules report 429, server errors and challenge pages.',
  why: 'This server signs its requests to other servers as this actor. They fetch its key here, and reject every request when they cannot. Since a 2024 security release, Mastodon also rejects other content types.',
  sources: ['ActivityPub section 3.2', 'RFC 9421', 'GHSA-jhrq-qvrm-qr36 (Mastodon)'],
  cure: ACTOR_PATH_CURE,
  judge(evidence) {
    const exchange = federationAnswer(evidence, 'actor');
    if (exchange === null) return null;
    const result = `The actor gives ${answerWords(exchange)}`;
    if ((exchange.status === 401 || exchange.status === 403) && jsonOf(exchange) !== null)
      return info(
        `${result}: authorised fetch is on, so only signed requests get the actor. This check does not sign.`,
      );
    if (exchange.status !== 200 || exchange.failure !== null)
      return fail(`${result}: other servers cannot fetch the key of this server.`);
    if (jsonOf(exchange) === null) {
      return fail(
        `${result}${isHtml(exchange) ? ': the web app was sent instead of the actor' : ', which is not a JSON object'}.`,
      );
    }
    const type = exchange.headers['content-type'];
    if (!isActivityType(type)) {
      return fail(
        `The content type of the actor is ${type === undefined ? 'missing' : showText(type)}; it must be application/activity+json. Other servers reject it.`,
        `${CONTENT_TYPE_CURE}\n\n${ACTOR_PATH_CURE}`,
      );
    }
    return pass('The actor answers as ActivityPub.');
  },
};

/** ActivityStreams types for an actor that is not a person or group. */
const SERVER_TYPES: ReadonlySet<unknown> = new Set(['Application', 'Service']);
const ACTOR_TYPES: ReadonlySet<unknown> = new Set([...SERVER_TYPES, 'Group', 'Organization', 'Person']);

function urlProblems(actor: JsonObject, domain: Domain): string[] {
  return ['id', 'inbox'].flatMap((name) => {
    const value = property(actor, name);
    if (value === undefined) return [`\`${name}\` is missing`];
    const url = typeof value === 'string' ? URL.parse(value) : null;
    return url !== null && isOwnUrl(url, domain)
      ? []
      : [`\`${name}\` is ${showValue(value)}; it must be an https URL on ${domain}`];
  });
}

function typeProblems(actor: JsonObject): string[] {
  const type = property(actor, 'type');
  const name = property(actor, 'preferredUsername');
  return [
    ...(ACTOR_TYPES.has(type) ? [] : [`\`type\` is ${showValue(type)}, which is not an actor type`]),
    ...(typeof name === 'string' && name !== '' ? [] : ['`preferredUsername` is missing']),
  ];
}

function keyProblems(actor: JsonObject): string[] {
  const key = asObject(property(actor, 'publicKey'));
  if (key === null) return ['`publicKey` is missing'];
  const pem = property(key, 'publicKeyPem');
  const isPem =
    typeof pem === 'string' &&
    /^\s*-----BEGIN (RSA )?PUBLIC KEY-----[\sA-Za-z0-9+/=]+-----END (RSA )?PUBLIC KEY-----\s*$/.test(pem);
  const owner = property(key, 'owner');
  return [
    ...(isPem ? [] : ['`publicKey.publicKeyPem` is not a PEM key']),
    ...(owner === property(actor, 'id') ? [] : [`\`publicKey.owner\` is ${showValue(owner)} instead of the actor`]),
  ];
}

/** @param mayHaveOtherName whether the server may be known by another name than the one checked. */
function findDoubts(actor: JsonObject, { url }: CheckExchange, mayHaveOtherName: boolean): string[] {
  const [id, type] = [property(actor, 'id'), property(actor, 'type')];
  return [
    ...(id === url || mayHaveOtherName
      ? []
      : [`\`id\` is ${showValue(id)}, but the actor was fetched from ${showText(url)}`]),
    ...(SERVER_TYPES.has(type)
      ? []
      : [`\`type\` is ${showValue(type)}, a type for a person or group; Application is usual`]),
  ];
}

export const federationActorDocument: Rule = {
  id: 'federation-actor-document',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The actor of the server contains the fields that other servers require',
  checks:
    'Reads the actor. Fails when `id` or `inbox` is not an https URL on this host, `type` is not an actor type, `publicKey` lacks a PEM key or names another owner, or `preferredUsername` is missing. Warns when the type is that of a person or group, or the `id` differs from the URL at which the actor was fetched.',
  why: 'Other servers compare the host from which they fetched the actor with the hosts of its key and its id, and reject a mismatch, because it may be an impersonation of this server.',
  sources: ['ActivityPub section 4.1', 'https://w3id.org/security/v1', 'FEP-2677'],
  cure: `${HOST_CURE}\n\nThe installation creates the actor and its key once; if they are missing, run the migrations:\n\n    php artisan migrate --force\n    php artisan queue:restart`,
  judge(evidence) {
    const exchange = federationAnswer(evidence, 'actor');
    const actor = exchange?.status === 200 ? jsonOf(exchange) : null;
    if (exchange === null || actor === null) return null;
    const { domain } = evidence;
    const problems = [...urlProblems(actor, domain), ...typeProblems(actor), ...keyProblems(actor)];
    if (problems.length > 0) return fail(`${listItems(problems)}.`);
    const doubts = findDoubts(actor, exchange, isLocal(domain));
    if (doubts.length > 0) return warn(`${listItems(doubts)}.`);
    return pass(`The actor is ${showText(String(property(actor, 'id')))}, with its inbox and key.`);
  },
};

export const federationRules: readonly Rule[] = [
  federationWebfinger,
  federationWebfingerUnknown,
  federationActor,
  federationActorDocument,
  federationInbox,
];
