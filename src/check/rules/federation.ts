import { asObject, type JsonObject, property } from '../../identify/field-reader.ts';
import { answerWords, challengeOf, contentTypeOf, isHtml, jsonOf } from '../answers.ts';
import type { Evidence, Exchange } from '../evidence.ts';
import { fail, info, type Judgement, nameAll, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { federates } from '../server-state.ts';

const LET_WELL_KNOWN_THROUGH =
  'Let the web server pass /.well-known/ to Loops. A rule against hidden files (`location ~ /\\.`) must leave it out; in nginx, above that rule:\n\n    location ^~ /.well-known/ {\n        try_files $uri /index.php?$query_string;\n    }';
const urlCure = (domain: string) =>
  `The addresses come from the .env of Loops; set it to the name that the server is checked under:\n\n    APP_URL=https://${domain}\n\nThen make Loops reload it:\n\n    php artisan config:cache`;

export const federationWebfinger: Rule = {
  id: 'federation-webfinger',
  area: 'federation',
  worst: 'fail',
  cureFor: 'loops',
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
    // Another rule reports server errors.
    if ((exchange.status ?? 0) >= 500) return null;
    const result = `WebFinger gives ${answerWords(exchange)}`;
    const json = jsonOf(exchange);
    if (exchange.status === 200 && json !== null) return ofDescriptor(exchange, json, evidence);
    if (exchange.status === 404 && json !== null) {
      return warn(
        `${result} for the server's own actor, acct:${evidence.domain}@${evidence.domain}.`,
        urlCure(evidence.domain),
      );
    }
    const isWhole = exchange.status === 200 && exchange.failure === null;
    const what = isHtml(exchange) ? ': the web app came in place of the descriptor' : ', which is no JSON object';
    return fail(
      `${result}${isWhole ? what : ''}. Nobody of this server can be found from another one.`,
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

export const federationWebfingerUnknown: Rule = {
  id: 'federation-webfinger-unknown',
  area: 'federation',
  worst: 'warn',
  cureFor: 'loops',
  title: 'WebFinger says of unknown accounts that they are unknown',
  checks:
    'Asks WebFinger for an account whose name is drawn at random. It should answer 404, 400 or 410. Warns for a success or a redirect, notes a refusal that is not JSON.',
  why: 'Other servers remember what they found. One that answers for every name fills them with accounts that there are not, or has them read a page as an account.',
  sources: ['RFC 7033 section 4.2'],
  cure: LET_WELL_KNOWN_THROUGH,
  judge(evidence) {
    const { webfinger } = evidence.answers;
    const exchange = evidence.answers['webfinger-unknown'];
    if (!federates(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
    const { status } = exchange;
    if (status === 429 || status >= 500 || challengeOf(exchange) !== null) return null;
    // Where WebFinger does not work at all, the rule on that says so.
    if (webfinger !== null && (jsonOf(webfinger) === null || ![200, 404].includes(webfinger.status ?? 0))) return null;
    const result = `WebFinger of an account that there is not gives ${answerWords(exchange)}`;
    if (status < 300 && isHtml(exchange))
      return warn(`${result}: the web app came in place of an answer.`, LET_WELL_KNOWN_THROUGH);
    if (status < 300)
      return warn(
        `${result}: every name looks like an account.`,
        'Take a cache or a fixed file for this address out of the web server, so that Loops answers:\n\n    location = /.well-known/webfinger {\n        try_files $uri /index.php?$query_string;\n    }',
      );
    if (status < 400) return warn(`${result}.`, LET_WELL_KNOWN_THROUGH);
    return jsonOf(exchange) !== null || exchange.body.length === 0
      ? pass(`${result}.`)
      : info(`${result}; JSON is usual.`);
  },
};

export const federationActor: Rule = {
  id: 'federation-actor',
  area: 'federation',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The actor of the server answers as ActivityPub',
  checks:
    'Asks for the actor that WebFinger names, or for `/ap/actor`, with `Accept: application/activity+json`. Fails when it does not answer 200 with a JSON object of type `application/activity+json`, or `application/ld+json` with the profile of ActivityStreams.',
  why: 'Every request of this server to another one is signed in the name of this actor. Others fetch its key here, and refuse everything when they cannot. Since a security release of 2024 Mastodon refuses other content types too.',
  sources: ['ActivityPub section 3.2', 'RFC 9421', 'GHSA-jhrq-qvrm-qr36 (Mastodon)'],
  cure: 'Let the web server pass /ap/ to Loops with the header `Accept` as it came, and let no cache give the page of a browser to another server. In nginx:\n\n    location ^~ /ap/ {\n        try_files $uri /index.php?$query_string;\n    }\n    fastcgi_cache_bypass $http_accept;',
  judge(evidence) {
    const exchange = evidence.answers.actor;
    if (!federates(evidence) || exchange === null || exchange.status === 429 || challengeOf(exchange) !== null)
      return null;
    if ((exchange.status ?? 0) >= 500) return null;
    const result = `The actor gives ${answerWords(exchange)}`;
    if (exchange.status === 401 || exchange.status === 403) {
      return fail(
        `${result}: other servers cannot fetch the key of this one.`,
        `The actor of the server must be there for everybody, without a signature. ${federationActor.cure}`,
      );
    }
    if (exchange.status !== 200 || exchange.failure !== null)
      return fail(`${result}: other servers cannot fetch the key of this one.`, federationActor.cure);
    if (jsonOf(exchange) === null) {
      return fail(
        `${result}${isHtml(exchange) ? ': the web app came in place of the actor' : ', which is no JSON object'}.`,
        federationActor.cure,
      );
    }
    const type = exchange.headers['content-type'];
    if (!isActivityType(type)) {
      return fail(
        `The content type of the actor is ${type === undefined ? 'missing' : showText(type)}, and not application/activity+json: other servers refuse it.`,
        `Take out what sets another type in the web server (\`default_type\`, \`types\`, \`add_header Content-Type\`). ${federationActor.cure}`,
      );
    }
    return pass('The actor answers as application/activity+json.');
  },
};

/** Actor types of ActivityStreams that stand for a machine. */
const SERVER_TYPES: ReadonlySet<unknown> = new Set(['Application', 'Service']);
const ACTOR_TYPES: ReadonlySet<unknown> = new Set([...SERVER_TYPES, 'Group', 'Organization', 'Person']);

const cureFor = (domain: string) =>
  `The addresses come from the .env of Loops. Set it to the name that people know the server by:\n\n    APP_URL=https://${domain}\n\nThen make Loops reload it:\n\n    php artisan optimize:clear\n    php artisan config:cache\n\nThe actor and its key are made once, by the installation; where they are missing, an update makes them:\n\n    php artisan migrate --force\n    php artisan queue:restart`;

export const federationActorDocument: Rule = {
  id: 'federation-actor-document',
  area: 'federation',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The actor of the server has its type, inbox and key on this host',
  checks:
    'Reads the actor. Fails when `id` or `inbox` is not https on this host, `type` is none of an actor, `publicKey` has no PEM key or another owner, or `preferredUsername` is missing. Warns for a type of a person, and an `id` that is not where the actor was found.',
  why: 'Other servers compare the host of the actor with that of its key and its id, and refuse what does not fit: it could be somebody who passes himself off as this server.',
  sources: ['ActivityPub section 4.1', 'https://w3id.org/security/v1', 'FEP-2677'],
  cure: cureFor('loops.example'),
  judge(evidence) {
    const exchange = evidence.answers.actor;
    if (!federates(evidence) || exchange === null || exchange.status !== 200 || challengeOf(exchange) !== null)
      return null;
    const actor = jsonOf(exchange);
    if (actor === null) return null;
    const { domain } = evidence;
    const problems = [...placeProblems(actor, domain), ...typeProblems(actor), ...keyProblems(actor)];
    if (problems.length > 0) return fail(`${nameAll(problems)}.`, cureFor(domain));
    const doubts = doubtsAbout(actor, exchange);
    if (doubts.length > 0) return warn(`${nameAll(doubts)}.`, cureFor(domain));
    return pass(`The actor is ${showText(String(property(actor, 'id')))}, with its inbox and its key.`);
  },
};

function placeProblems(actor: JsonObject, domain: string): string[] {
  return ['id', 'inbox'].flatMap((name) => {
    const value = property(actor, name);
    if (value === undefined) return [`\`${name}\` is missing`];
    const url = typeof value === 'string' ? URL.parse(value) : null;
    const isHere = url !== null && url.protocol === 'https:' && url.host === domain;
    return isHere ? [] : [`\`${name}\` is ${showValue(value)}, and not https on ${domain}`];
  });
}

function typeProblems(actor: JsonObject): string[] {
  const type = property(actor, 'type');
  const name = property(actor, 'preferredUsername');
  return [
    ...(ACTOR_TYPES.has(type) ? [] : [`\`type\` is ${showValue(type)}, which is none of an actor`]),
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
    ...(isPem ? [] : ['`publicKey.publicKeyPem` is no key in PEM form']),
    ...(owner === property(actor, 'id') ? [] : [`\`publicKey.owner\` is ${showValue(owner)}, and not the actor`]),
  ];
}

function doubtsAbout(actor: JsonObject, { url }: Exchange): string[] {
  const [id, type] = [property(actor, 'id'), property(actor, 'type')];
  return [
    ...(id === url ? [] : [`\`id\` is ${showValue(id)}, but the actor was found at ${showText(url)}`]),
    ...(SERVER_TYPES.has(type)
      ? []
      : [`\`type\` is ${showValue(type)}, as if the server were one of its users; Application is usual`]),
  ];
}

/** Whether a media type is that of ActivityStreams in JSON (ActivityPub section 3.2): its own, or JSON-LD with the profile. */
function isActivityType(type: unknown): boolean {
  if (typeof type !== 'string') return false;
  const [essence = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (essence === 'application/activity+json') return true;
  return (
    essence === 'application/ld+json' &&
    parameters.some((one) => one.startsWith('profile=') && one.includes('https://www.w3.org/ns/activitystreams'))
  );
}

/** The rules of federation, in the order of a report. */
export const federationRules: readonly Rule[] = [
  federationWebfinger,
  federationWebfingerUnknown,
  federationActor,
  federationActorDocument,
];
