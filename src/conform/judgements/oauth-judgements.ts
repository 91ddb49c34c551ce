import { describeAnswer, type Evidence, type Json, jsonObject, Undecided } from '../evidence.ts';
import { type Answer, headerOf } from '../exchange.ts';
import { asksForDecision, asksForPassword } from '../probes/consent.ts';
import type { ProbeId } from '../probes/probe-ids.ts';
import { REDIRECT_URI } from '../probes/redirect-uri.ts';
import {
  eachOf,
  encodingProblem,
  givesNoToken,
  hasError,
  hasResource,
  isRefused,
  type Judge,
  type Judgements,
  joinProblems,
  requireEndpoint,
  show,
} from './judge.ts';

/** The answer is neither a redirect to the redirect URI of the request nor a failure of the server. */
function isNotRedirected(probe: ProbeId): Judge {
  return (evidence) => {
    const answer = evidence.answer(probe);
    requireEndpoint(answer);
    if (answer.status >= 500) return `the server failed: ${describeAnswer(answer)}`;
    const redirect = evidence.redirect(probe);
    if (redirect !== null) return `it redirects to ${redirect.origin}${redirect.pathname}`;
    requireNoLogin(answer);
    return null;
  };
}

/** @throws {Undecided} when the answer is a page that asks for a password, or may lead to one: the server may refuse later. */
function requireNoLogin(answer: Answer): void {
  const location = answer.status >= 300 && answer.status < 400 ? headerOf(answer, 'location') : undefined;
  if (location === undefined && !asksForPassword(answer)) return;
  const where = location === undefined ? 'the page asks for a password' : `the answer is a redirect to ${location}`;
  throw new Undecided('not shown', `${where}, and the request may be refused only after the sign-in`);
}

/** The redirect has no code and no token, neither in its query nor in its fragment. */
function givesNoCodeOrToken(probe: ProbeId): Judge {
  return (evidence) => {
    const redirect = redirectOrRefusal(evidence, probe);
    if (redirect === null) return null;
    const names = [...redirect.searchParams.keys(), ...new URLSearchParams(redirect.hash.slice(1)).keys()];
    const gained = names.filter((name) => name === 'code' || name === 'access_token');
    return gained.length === 0 ? null : `the redirect has ${gained.join(' and ')}`;
  };
}

/** The redirect, if there is one, names this error. */
function reports(probe: ProbeId, error: string): Judge {
  return (evidence) => {
    const redirect = redirectOrRefusal(evidence, probe);
    if (redirect === null) return null;
    const found = redirect.searchParams.get('error');
    return found === error ? null : `\`error\` is ${show(found)}`;
  };
}

/** The redirect to the redirect URI; null when the server refused the request on a page of its own. */
function redirectOrRefusal(evidence: Evidence, probe: ProbeId): URL | null {
  const redirect = evidence.redirect(probe);
  if (redirect === null) requireNoLogin(evidence.answer(probe));
  return redirect;
}

function redirectOf(evidence: Evidence, probe: ProbeId): URL {
  const redirect = evidence.redirect(probe);
  if (redirect === null) throw new Undecided('skipped', `the probe ${probe} did not end at the redirect URI`);
  return redirect;
}

/** The `state` that an authorization request sent. */
function stateSent(evidence: Evidence, probe: ProbeId): string | null {
  const [first] = evidence.exchanges.filter((exchange) => exchange.probe === probe);
  return URL.parse(first?.request.url ?? '')?.searchParams.get('state') ?? null;
}

function stateProblem(evidence: Evidence, probe: ProbeId): string | null {
  const [found, sent] = [redirectOf(evidence, probe).searchParams.getAll('state'), stateSent(evidence, probe)];
  return found.length === 1 && found[0] === sent ? null : `\`state\` is ${show(found)}, and ${show(sent)} was sent`;
}

/** Whether a page of the probe asked the user to approve. */
function wasAsked(evidence: Evidence, probe: ProbeId): boolean {
  return evidence.exchanges.some(
    (exchange) => exchange.probe === probe && asksForDecision(exchange, evidence.options.approveButton),
  );
}

function metadata(evidence: Evidence): Json {
  const answer = evidence.answer('metadata');
  const json = answer.status === 200 ? jsonObject(answer) : null;
  if (json === null) throw new Undecided('not shown', `the server publishes no metadata: ${describeAnswer(answer)}`);
  return json;
}

/** A list of the metadata contains these words. */
function lists(key: string, words: readonly string[]): Judge {
  return (evidence) => {
    const list = metadata(evidence)[key];
    if (list === undefined && key === 'scopes_supported') throw new Undecided('not shown', 'no scopes are listed');
    return Array.isArray(list) && words.every((word) => list.includes(word)) ? null : `\`${key}\` is ${show(list)}`;
  };
}

const ENDPOINTS = {
  authorization_endpoint: '/oauth/authorize',
  token_endpoint: '/oauth/token',
  revocation_endpoint: '/oauth/revoke',
};

/** No cache may store the answer (RFC 6749 section 5.1). */
const forbidsStoring: (probe: ProbeId, evidence: Evidence) => string | null = (probe, evidence) => {
  evidence.json(probe);
  const value = headerOf(evidence.answer(probe), 'cache-control');
  return /(?:^|[\s,])no-store(?:$|[\s,])/i.test(value ?? '') ? null : `Cache-Control is ${value ?? 'missing'}`;
};

const TOKENS = ['token', 'app-token'] as const;

/** The client gets a token, in JSON. */
function givesToken(probe: ProbeId): Judge {
  return (evidence) => {
    const { answer, failure } = evidence.exchange(probe);
    if (answer === null) return `there was no answer: ${failure}`;
    const token = answer.status === 200 ? jsonObject(answer) : null;
    if (token === null) return `${describeAnswer(answer)}, \`error\` is ${show(jsonObject(answer)?.error)}`;
    return typeof token.access_token === 'string' ? encodingProblem(answer) : 'the answer has no `access_token`';
  };
}

/** @throws {Undecided} when nothing shows that the server uses PKCE. It need not: section 5 of the specification also offers the out-of-band redirect. */
function requirePkce(evidence: Evidence): void {
  const answer = evidence.answer('metadata');
  const methods = answer.status === 200 ? jsonObject(answer)?.code_challenge_methods_supported : undefined;
  const probes = ['token-wrong-verifier', 'token-without-verifier'] as const;
  const ignoresVerifier = probes.every((probe) => jsonObject(evidence.answer(probe))?.access_token !== undefined);
  if (methods !== undefined || !ignoresVerifier) return;
  throw new Undecided('not shown', 'the server ignores the challenge, and its metadata names no PKCE method');
}

/** Each answer to the requests of the probe has the status 200, apart from rate limits (429). */
const isOk = (probe: ProbeId, evidence: Evidence) => {
  evidence.answer(probe);
  const answers = evidence.exchanges.flatMap((one) => (one.probe === probe && one.answer !== null ? [one.answer] : []));
  const wrong = answers.find(({ status }) => status !== 200 && status !== 429);
  return wrong === undefined ? null : describeAnswer(wrong);
};

/** The statuses that RFC 6749 section 5.2 allows for `invalid_client`. */
const CLIENT_STATUSES = [400, 401];

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export const OAUTH_JUDGEMENTS: Judgements = {
  'authorize.client_id.required': isNotRedirected('authorize-without-client'),
  'authorize.client_id.known': isNotRedirected('authorize-unknown-client'),
  'authorize.redirect_uri.registered': eachOf(
    ['authorize-other-redirect', 'authorize-redirect-prefix', 'authorize-redirect-query', 'authorize-redirect-folder'],
    (probe, evidence, profile) => isNotRedirected(probe)(evidence, profile),
  ),
  'authorize.redirect_uri.used': (evidence) => {
    const [redirect, wanted] = [redirectOf(evidence, 'authorize'), new URL(REDIRECT_URI)];
    if (redirect.origin !== wanted.origin) return `it is ${redirect.origin}${redirect.pathname}`;
    const lost = [...wanted.searchParams].filter(([name, value]) => redirect.searchParams.get(name) !== value);
    return lost.length === 0 ? null : `the query lacks ${new URLSearchParams(lost)}`;
  },
  'authorize.redirect_uri.required': givesNoCodeOrToken('authorize-without-redirect'),
  'authorize.response_type.required': givesNoCodeOrToken('authorize-without-response-type'),
  'authorize.response_type.code': givesNoCodeOrToken('authorize-response-type'),
  'authorize.response_type.error': reports('authorize-response-type', 'unsupported_response_type'),
  'authorize.scope.subset': givesNoCodeOrToken('authorize-scope-beyond'),
  'authorize.scope.registered': (evidence) => {
    if (!redirectOf(evidence, 'authorize').searchParams.has('code')) {
      throw new Undecided('skipped', 'a request without `scope` gives no code either');
    }
    const redirect = redirectOrRefusal(evidence, 'authorize-for-token-with-wrong-secret');
    if (redirect?.searchParams.has('code') === true) return null;
    const error = redirect?.searchParams.get('error');
    return `${describeAnswer(evidence.answer('authorize-for-token-with-wrong-secret'))}, \`error\` is ${show(error)}`;
  },
  'authorize.scope.error': reports('authorize-scope-beyond', 'invalid_scope'),
  'authorize.state.echoed': (evidence) => stateProblem(evidence, 'authorize'),
  'authorize.state.long': (evidence) => {
    const probe = 'authorize-for-token-without-redirect';
    const isRefused = evidence.redirect('authorize') !== null && evidence.redirect(probe) === null;
    return isRefused
      ? `the request ended with ${describeAnswer(evidence.answer(probe))}`
      : stateProblem(evidence, probe);
  },
  'authorize.state.optional': (evidence) => {
    const redirect = redirectOf(evidence, 'authorize-without-state');
    if (!redirect.searchParams.has('code')) return 'the redirect has no code';
    const states = redirect.searchParams.getAll('state');
    return states.length === 0 ? null : `\`state\` is ${show(states)}`;
  },
  'authorize.consent': (evidence) => {
    if (!redirectOf(evidence, 'authorize').searchParams.has('code')) {
      throw new Undecided('skipped', 'the request gives no code');
    }
    return wasAsked(evidence, 'authorize') ? null : 'the code came without a page with a button that approves';
  },
  'authorize.denied': (evidence) => {
    if (evidence.redirect('authorize-denied') !== null && !wasAsked(evidence, 'authorize-denied')) {
      throw new Undecided('not shown', 'the server did not ask the user');
    }
    const redirect = redirectOf(evidence, 'authorize-denied');
    const error = redirect.searchParams.get('error');
    return joinProblems(
      givesNoCodeOrToken('authorize-denied')(evidence, 'spec'),
      error === 'access_denied' ? null : `\`error\` is ${show(error)}`,
      stateProblem(evidence, 'authorize-denied'),
    );
  },
  'authorize.iss': (evidence) => {
    const { issuer, authorization_response_iss_parameter_supported: promised } = metadata(evidence);
    if (promised !== true) throw new Undecided('not shown', 'the metadata does not promise `iss`');
    const iss = redirectOf(evidence, 'authorize').searchParams.get('iss');
    return iss === issuer ? null : `\`iss\` is ${show(iss)}, the issuer ${show(issuer)}`;
  },

  'token.grant_type.required': givesNoToken('token-without-grant'),
  'token.grant_type.known': givesNoToken('token-unknown-grant'),
  'token.grant_type.error': hasError('token-unknown-grant', 'unsupported_grant_type'),
  'token.empty': givesNoToken('token-empty'),
  'token.client_id.required': givesNoToken('token-without-client'),
  'token.client_id.known': givesNoToken('token-unknown-client'),
  'token.client_id.error': hasError('token-unknown-client', 'invalid_client', CLIENT_STATUSES),
  'token.client_secret.right': givesNoToken('token-wrong-secret'),
  'token.client_secret.app': givesNoToken('token-without-secret'),
  'token.client_secret.with-code': givesNoToken('token-code-wrong-secret'),
  'token.client_secret.required': givesNoToken('token-code-without-secret'),
  'token.client_secret.error': hasError('token-wrong-secret', 'invalid_client', CLIENT_STATUSES),
  'token.code.required': givesNoToken('token-without-code'),
  'token.code.known': givesNoToken('token-unknown-code'),
  'token.code.error': hasError('token-unknown-code', 'invalid_grant'),
  'token.code.own': givesNoToken('token-code-of-other-app'),
  'token.code.once': givesNoToken('token-reused-code'),
  'token.redirect_uri.required': givesNoToken('token-code-without-redirect'),
  'token.redirect_uri.same': eachOf(
    ['token-other-redirect', 'token-redirect-prefix', 'token-redirect-query', 'token-redirect-folder'],
    (probe, evidence, profile) => givesNoToken(probe)(evidence, profile),
  ),
  'token.scope.subset': (evidence) => {
    const scope = jsonObject(evidence.answer('token-scope-beyond'))?.scope;
    const exceeds = typeof scope === 'string' && scope.split(' ').includes('write');
    return exceeds ? `\`scope\` is ${show(scope)}` : null;
  },
  'token.scope.read': (evidence, profile) => {
    const problem = givesToken('token-scope-read')(evidence, profile);
    if (problem !== null) return problem;
    const scope = jsonObject(evidence.answer('token-scope-read'))?.scope;
    return scope === 'read' ? null : `\`scope\` is ${show(scope)}`;
  },
  'token.authorization_code': givesToken('token'),
  'token.client_credentials': givesToken('app-token'),
  'token.form': (evidence) => {
    const errorOf = (probe: ProbeId) => jsonObject(evidence.answer(probe))?.error;
    const [inForm, inJson] = [errorOf('token-form'), errorOf('token-unknown-code')];
    if (inJson === undefined || inJson === errorOf('token-empty')) {
      throw new Undecided('not shown', 'the server refuses an unknown code as it does a request without any field');
    }
    return inForm === inJson ? null : describeAnswer(evidence.answer('token-form'));
  },
  'token.no-store': eachOf(TOKENS, forbidsStoring),
  'token.error.body': eachOf(['token-empty', 'token-unknown-client'], (probe, evidence) => {
    const answer = evidence.answer(probe);
    if (answer.status < 400) throw new Undecided('skipped', 'the request was accepted');
    return isText(jsonObject(answer)?.error) ? null : describeAnswer(answer);
  }),

  'apps.empty': isRefused('apps-empty'),
  'apps.client_name.required': isRefused('apps-without-name'),
  'apps.redirect_uris.required': isRefused('apps-without-redirect'),
  'apps.no-store': (evidence) => forbidsStoring('apps', evidence),

  'scope.default': eachOf(TOKENS, (probe, evidence) => {
    const scope = evidence.string(probe, 'scope');
    return scope === 'read' ? null : `\`scope\` is ${show(scope)}`;
  }),
  'account.needs-user': (evidence) => {
    const answer = evidence.answer('account-app-token');
    return hasResource(answer) ? `the answer has an account: ${describeAnswer(answer)}` : null;
  },
  'revoke.token': (evidence) => {
    const answer = evidence.answer('account-revoked-token');
    evidence.json('account');
    if (answer.status >= 500) return `the server failed: ${describeAnswer(answer)}`;
    return hasResource(answer) ? `the answer has the account: ${describeAnswer(answer)}` : null;
  },
  'revoke.token.status': eachOf(['revoke', 'revoke-app-token', 'revoke-rest'], isOk),
  'revoke.unknown': (evidence) => isOk('revoke-unknown-token', evidence),
  'revoke.own': (evidence) => {
    evidence.json('account-public-token');
    const answer = evidence.answer('account-other-app-revoked');
    return hasResource(answer) ? null : `the token is no longer accepted: ${describeAnswer(answer)}`;
  },
  'revoke.client': isRefused('revoke-wrong-secret'),
  'revoke.empty': isRefused('revoke-empty'),
  'pkce.public': (evidence, profile) => {
    const problem = givesToken('token-verifier')(evidence, profile);
    if (problem !== null) return problem;
    const answer = evidence.answer('account-public-token');
    return hasResource(answer) ? null : `its token is refused: ${describeAnswer(answer)}`;
  },
  'pkce.verifier': (evidence, profile) => {
    requirePkce(evidence);
    return givesNoToken('token-wrong-verifier')(evidence, profile);
  },
  'pkce.verifier.required': (evidence, profile) => {
    requirePkce(evidence);
    return givesNoToken('token-without-verifier')(evidence, profile);
  },
  'pkce.verifier.error': hasError('token-wrong-verifier', 'invalid_grant'),
  'loopback.port': (evidence) => {
    const answer = evidence.answer('authorize-other-port');
    return evidence.redirect('authorize-other-port') === null ? describeAnswer(answer) : null;
  },

  'metadata.json': (evidence) => {
    const answer = evidence.answer('metadata');
    const isJson = /json/i.test(headerOf(answer, 'content-type') ?? '');
    if (answer.status === 200 && isJson && jsonObject(answer) === null) return 'the body is not a JSON object';
    metadata(evidence);
    return encodingProblem(answer);
  },
  'metadata.issuer': (evidence) => {
    const { issuer } = metadata(evidence);
    return issuer === evidence.options.base ? null : `it is ${show(issuer)}`;
  },
  'metadata.endpoints': (evidence) => {
    const found = metadata(evidence);
    const wrong = Object.entries(ENDPOINTS).filter(([key, path]) => found[key] !== `${evidence.options.base}${path}`);
    return joinProblems(...wrong.map(([key]) => `\`${key}\` is ${show(found[key])}`));
  },
  'metadata.response_types': lists('response_types_supported', ['code']),
  'metadata.scopes': lists('scopes_supported', ['read', 'write', 'follow']),
  'metadata.challenge_methods': lists('code_challenge_methods_supported', ['S256']),
};
