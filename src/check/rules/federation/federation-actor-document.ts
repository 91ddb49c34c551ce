import { asObject, type JsonObject, property } from '../../../identify/json.ts';
import { challengeOf } from '../../challenge-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showText } from '../../documents/show-text.ts';
import { showValue } from '../../documents/show-value.ts';
import type { Exchange } from '../../exchange.ts';
import { federates } from '../../federates.ts';
import { jsonOf } from '../../json-of.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Actor types of ActivityStreams that stand for a machine. */
const SERVER_TYPES: ReadonlySet<unknown> = new Set(['Application', 'Service']);
const ACTOR_TYPES: ReadonlySet<unknown> = new Set([...SERVER_TYPES, 'Group', 'Organization', 'Person']);

const cureFor = (domain: string) =>
  `The addresses come from the .env of Loops. Set it to the name that people know the server by:\n\n    APP_URL=https://${domain}\n\nThen let Loops read it anew:\n\n    php artisan optimize:clear\n    php artisan config:cache\n\nThe actor and its key are made once, by the installation; where they are missing, an update makes them:\n\n    php artisan migrate --force\n    php artisan queue:restart`;

/** Whether the actor of the server says what others need. */
export const federationActorDocument: Rule = {
  id: 'federation-actor-document',
  area: 'federation',
  worst: 'fail',
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
