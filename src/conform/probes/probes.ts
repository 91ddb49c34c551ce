import { createHash } from 'node:crypto';
import { type Evidence, jsonObject, Undecided } from '../evidence.ts';
import type { Answer, SentRequest } from '../exchange.ts';
import { linkOf } from '../judgements/resource-judgements.ts';
import type { ProbeId } from './probe-ids.ts';
import { OTHER_PORT_URI, OTHER_REDIRECT_URI, REDIRECT_URI, SIMILAR_URIS } from './redirect-uri.ts';
import { appQuery, authorizeUrl, credentials, get, INVENTED, postForm, postJson, stateFor } from './requests.ts';

/** How a probe contacts the server. Functions throw {@link Undecided} when an earlier answer that they need is missing. */
export type ProbePlan = {
  /** The request in words, for `--dry-run`. */
  line: string;
  /** The probes that must run before it. */
  after: readonly ProbeId[];
} & (
  | { request: (evidence: Evidence) => SentRequest }
  /** Opens this page as a user, signs in if necessary, and decides. */
  | { page: (evidence: Evidence) => string; decision: 'approve' | 'deny' }
  /** A page that the server must refuse. If shown, the user approves it; without a user or `--write`, it is only requested. */
  | { refusal: (evidence: Evidence) => string }
  /** Sends any number of requests. */
  | { requests: (evidence: Evidence) => readonly SentRequest[] }
);

const SELF = '/api/v1/account/info/self';
const [APPS, TOKEN, REVOKE] = ['/api/v1/apps', '/oauth/token', '/oauth/revoke'];

const REGISTRATION = {
  client_name: 'Loopscout conform',
  redirect_uris: REDIRECT_URI,
  website: 'https://conform.example/',
};

/** What each probe sends. */
export const PLANS: Readonly<Record<ProbeId, ProbePlan>> = {
  config: independent('GET /api/v1/config', (evidence) => get(evidence, '/api/v1/config')),
  discovery: independent('GET /.well-known/nodeinfo', (evidence) => get(evidence, '/.well-known/nodeinfo')),
  nodeinfo: {
    line: 'GET the href of the 2.0 link',
    after: ['discovery'],
    request: (evidence) => ({ ...get(evidence, ''), url: hrefOf(evidence) }),
  },
  metadata: independent('GET /.well-known/oauth-authorization-server', (evidence) =>
    get(evidence, '/.well-known/oauth-authorization-server'),
  ),
  video: independent('GET /api/v1/video/{--video}', (evidence) =>
    get(evidence, `/api/v1/video/${evidence.options.video}`),
  ),
  'video-unknown': independent(`GET /api/v1/video/${INVENTED.video}`, (evidence) =>
    get(evidence, `/api/v1/video/${INVENTED.video}`),
  ),
  'account-without-token': independent(`GET ${SELF} without a token`, (evidence) => get(evidence, SELF)),
  'account-unknown-token': independent(`GET ${SELF} with an unknown token`, (evidence) =>
    get(evidence, SELF, INVENTED.token),
  ),
  'token-empty': independent(`POST ${TOKEN} with an empty object`, (evidence) => postJson(evidence, TOKEN, {})),
  'token-unknown-client': independent(`POST ${TOKEN} with an unknown client_id`, (evidence) =>
    postJson(evidence, TOKEN, {
      grant_type: 'client_credentials',
      client_id: INVENTED.client,
      client_secret: INVENTED.secret,
    }),
  ),
  'revoke-empty': independent(`POST ${REVOKE} with an empty object`, (evidence) => postJson(evidence, REVOKE, {})),
  'apps-empty': independent(`POST ${APPS} with an empty object`, (evidence) => postJson(evidence, APPS, {})),

  'apps-without-name': register(`POST ${APPS} without client_name`, 'client_name', ['apps-empty']),
  'apps-without-redirect': register(`POST ${APPS} without redirect_uris`, 'redirect_uris', [
    'apps-empty',
    'apps-without-name',
  ]),
  apps: register(`POST ${APPS}: registers the app`, null, ['apps-empty', 'apps-without-name', 'apps-without-redirect']),
  'token-without-grant': token('without grant_type', (evidence) => credentials(evidence)),
  'token-unknown-grant': token('with grant_type=conform-unknown', (evidence) => ({
    ...credentials(evidence),
    grant_type: 'conform-unknown',
  })),
  'token-without-client': token('without client_id', (evidence) => ({
    grant_type: 'client_credentials',
    client_secret: credentials(evidence).client_secret,
  })),
  'token-wrong-secret': token('with a wrong client_secret', (evidence) => ({
    ...clientGrant(evidence),
    client_secret: INVENTED.secret,
  })),
  'token-without-secret': token('without client_secret', (evidence) => ({
    client_id: credentials(evidence).client_id,
    grant_type: 'client_credentials',
  })),
  'token-without-code': token('without code', (evidence) => ({
    ...credentials(evidence),
    grant_type: 'authorization_code',
    redirect_uri: REDIRECT_URI,
  })),
  'token-unknown-code': token('with an unknown code', (evidence) => ({
    ...credentials(evidence),
    ...codeGrant(INVENTED.code),
  })),
  'token-form': {
    line: `POST ${TOKEN} as a form, with an unknown code`,
    after: ['apps', 'token-empty', 'token-unknown-code'],
    request: (evidence) => postForm(evidence, TOKEN, { ...credentials(evidence), ...codeGrant(INVENTED.code) }),
  },
  'token-scope-beyond': token('with a scope that the app did not register', (evidence) => ({
    ...clientGrant(evidence),
    scope: 'write',
  })),
  'token-scope-read': token('with the scope that the app has by default', (evidence) => ({
    ...clientGrant(evidence),
    scope: 'read',
  })),
  'app-token': token('with grant_type=client_credentials', clientGrant),
  'account-app-token': {
    line: `GET ${SELF} with the token of the app`,
    after: ['app-token'],
    request: (evidence) => get(evidence, SELF, evidence.string('app-token', 'access_token')),
  },
  'video-with-token': {
    line: 'GET /api/v1/video/{--video} with the token of the user',
    after: ['token', 'account'],
    request: (evidence) => get(evidence, `/api/v1/video/${evidence.options.video}`, userToken(evidence)),
  },
  'revoke-wrong-secret': revoke('with a wrong client_secret', ['apps', 'app-token'], (evidence) => ({
    ...credentials(evidence),
    client_secret: INVENTED.secret,
    token: evidence.string('app-token', 'access_token'),
  })),
  'revoke-unknown-token': revoke('with an unknown token', ['apps'], (evidence) => ({
    ...credentials(evidence),
    token: INVENTED.token,
  })),
  'revoke-app-token': revoke('with the token of the app', ['apps', 'app-token', 'account-app-token'], (evidence) => ({
    ...credentials(evidence),
    token: evidence.string('app-token', 'access_token'),
  })),

  authorize: authorize('and approve', (evidence) => ({ ...appQuery(evidence), state: stateFor(evidence, 'approve') })),
  token: tokenByCode('with the code', { from: 'authorize' }),
  account: {
    line: `GET ${SELF} with the token of the user`,
    after: ['token'],
    request: (evidence) => get(evidence, SELF, userToken(evidence)),
  },
  revoke: revoke('with the token of the user', ['apps', 'token', 'account'], (evidence) => ({
    ...credentials(evidence),
    token: evidence.string('token', 'access_token'),
  })),
  'account-revoked-token': {
    line: `GET ${SELF} with the revoked token`,
    after: ['token', 'account', 'revoke'],
    request: (evidence) => {
      // Throws if the revocation was not sent, or was refused with 429.
      evidence.exchange('revoke');
      return get(evidence, SELF, evidence.string('token', 'access_token'));
    },
  },
  'token-reused-code': token(
    'with the same code once more',
    (evidence) => {
      // Throws if the code was not used before.
      evidence.json('token');
      return { ...credentials(evidence), ...codeGrant(codeOf(evidence, 'authorize')) };
    },
    ['authorize', 'token', 'account', 'revoke', 'account-revoked-token'],
  ),
  'authorize-without-client': mustBeRefused('without client_id', [], () => ({
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
  })),
  'authorize-unknown-client': mustBeRefused('with an unknown client_id', [], () => ({
    response_type: 'code',
    client_id: INVENTED.client,
    redirect_uri: REDIRECT_URI,
  })),
  'authorize-other-redirect': mustBeRefused('with a redirect_uri that is not registered', ['apps'], (evidence) => ({
    ...appQuery(evidence),
    redirect_uri: OTHER_REDIRECT_URI,
  })),
  ...withSimilarUri('prefix', 'that continues the registered one'),
  ...withSimilarUri('query', 'without the query of the registered one'),
  ...withSimilarUri('folder', 'in a folder below the registered one'),
  'authorize-without-redirect': authorize('without redirect_uri', (evidence) => {
    const { redirect_uri: _, ...query } = appQuery(evidence);
    return query;
  }),
  'authorize-without-response-type': authorize('without response_type', (evidence) => {
    const { response_type: _, ...query } = appQuery(evidence);
    return query;
  }),
  'authorize-without-state': authorize('without state, and approve', appQuery),
  'token-other-redirect': tokenByCode('with a redirect_uri other than that of the code', {
    from: 'authorize-without-state',
    redirect_uri: OTHER_REDIRECT_URI,
  }),
  // A server may count a refused code as used, so each token request below has a code of its own.
  'authorize-for-token-with-wrong-secret': authorize('with the scope to read, and approve', (evidence) => ({
    ...appQuery(evidence),
    scope: readScope(evidence),
  })),
  'token-code-wrong-secret': tokenByCode('with a code and a wrong client_secret', {
    from: 'authorize-for-token-with-wrong-secret',
    client_secret: INVENTED.secret,
  }),
  'authorize-for-token-without-secret': authorize('and approve', appQuery),
  'token-code-without-secret': token(
    'with a code, without client_secret',
    (evidence) => ({
      client_id: credentials(evidence).client_id,
      ...codeGrant(codeOf(evidence, 'authorize-for-token-without-secret')),
    }),
    ['authorize-for-token-without-secret'],
  ),
  'authorize-for-token-without-redirect': authorize('with a state of 500 characters, and approve', (evidence) => ({
    ...appQuery(evidence),
    state: stateFor(evidence, 'long').padEnd(500, '-'),
  })),
  'token-code-without-redirect': token(
    'with a code, without redirect_uri',
    (evidence) => ({
      ...credentials(evidence),
      grant_type: 'authorization_code',
      code: codeOf(evidence, 'authorize-for-token-without-redirect'),
    }),
    ['authorize-for-token-without-redirect'],
  ),
  'apps-second': {
    line: `POST ${APPS}: registers a second app`,
    after: ['apps'],
    request: (evidence) => postJson(evidence, APPS, registrationOf(evidence)),
  },
  'authorize-second-app': {
    ...authorize('for the second app, and approve', (evidence) => ({
      ...appQuery(evidence),
      client_id: evidence.string('apps-second', 'client_id'),
    })),
    after: ['apps', 'apps-second'],
  },
  'token-code-of-other-app': tokenByCode('with the code of the second app and the credentials of the first', {
    from: 'authorize-second-app',
  }),
  // Not named `revoke-…`: the token must stay valid, and be revoked at the end.
  'other-app-revoke': revoke(
    'with a token of the first app and the credentials of the second',
    ['apps-second', 'token-verifier', 'account-public-token'],
    (evidence) => ({
      client_id: evidence.string('apps-second', 'client_id'),
      client_secret: evidence.string('apps-second', 'client_secret'),
      token: evidence.string('token-verifier', 'access_token'),
    }),
  ),
  'account-other-app-revoked': {
    line: `GET ${SELF} with that token`,
    after: ['other-app-revoke'],
    request: (evidence) => {
      // Throws if the revocation was not sent, or was refused with 429.
      evidence.exchange('other-app-revoke');
      return get(evidence, SELF, evidence.string('token-verifier', 'access_token'));
    },
  },
  'authorize-challenge': authorize('with a PKCE challenge, and approve', challengeQuery),
  'token-verifier': {
    line: `POST ${TOKEN} with the code and its verifier, without a secret`,
    after: ['authorize-challenge'],
    request: (evidence) =>
      postJson(evidence, TOKEN, {
        client_id: evidence.string('apps', 'client_id'),
        ...codeGrant(codeOf(evidence, 'authorize-challenge')),
        code_verifier: evidence.options.verifier,
      }),
  },
  'account-public-token': {
    line: `GET ${SELF} with the token of the client without a secret`,
    after: ['token-verifier'],
    request: (evidence) => get(evidence, SELF, evidence.string('token-verifier', 'access_token')),
  },
  'authorize-second-challenge': authorize('with a PKCE challenge once more, and approve', challengeQuery),
  'token-wrong-verifier': tokenByCode('with a wrong verifier', {
    from: 'authorize-second-challenge',
    code_verifier: INVENTED.verifier,
  }),
  'authorize-third-challenge': authorize('with a PKCE challenge a third time, and approve', challengeQuery),
  'token-without-verifier': tokenByCode('with the code of a challenge, without a verifier', {
    from: 'authorize-third-challenge',
  }),
  'authorize-denied': {
    ...authorize('and deny', (evidence) => ({ ...appQuery(evidence), state: stateFor(evidence, 'deny') })),
    decision: 'deny',
  },
  'authorize-response-type': authorize('with response_type=token', (evidence) => ({
    ...appQuery(evidence),
    response_type: 'token',
  })),
  'authorize-scope-beyond': authorize('with a scope that the app did not register', (evidence) => ({
    ...appQuery(evidence),
    scope: evidence.options.profile === 'live' ? `${readScope(evidence)} conform:unknown` : 'read write',
  })),
  'authorize-other-port': authorize('with another port in redirect_uri, and approve', (evidence) => ({
    ...appQuery(evidence),
    redirect_uri: OTHER_PORT_URI,
  })),
  'revoke-rest': {
    line: `POST ${REVOKE} with every other token of this run`,
    after: ['apps'],
    requests: (evidence) =>
      unrevokedTokens(evidence).map((token) => postJson(evidence, REVOKE, { ...credentials(evidence), token })),
  },
};

/** The scope that lets an app read. */
function readScope({ options }: Evidence): string {
  return options.profile === 'live' ? 'user:read' : 'read';
}

/** A probe that needs no other probe before it. */
function independent(line: string, request: (evidence: Evidence) => SentRequest): ProbePlan {
  return { line, after: [], request };
}

/** The fields of a registration. Live servers take redirect URIs only as a list. */
function registrationOf({ options }: Evidence): Record<keyof typeof REGISTRATION, string | string[]> {
  return { ...REGISTRATION, redirect_uris: options.profile === 'live' ? [REDIRECT_URI] : REDIRECT_URI };
}

/** A registration. Without `--apps 2`, a run registers only one app: if the server accepts an invalid registration, no other is sent. */
function register(line: string, omitted: keyof typeof REGISTRATION | null, earlier: readonly ProbeId[]): ProbePlan {
  return {
    line,
    after: earlier,
    request: (evidence) => {
      for (const probe of earlier) requireNoApp(evidence, probe);
      const fields = Object.entries(registrationOf(evidence)).filter(([name]) => name !== omitted);
      return postJson(evidence, APPS, Object.fromEntries(fields));
    },
  };
}

/** @throws {Undecided} when the server accepted the registration of an earlier probe, or may have. */
function requireNoApp(evidence: Evidence, probe: ProbeId): void {
  if (!evidence.has(probe)) return;
  const { answer } = evidence.exchange(probe);
  const limit = 'and a run registers only one';
  if (answer === null) {
    const why = `the probe ${probe} got no answer and may have registered an app, ${limit}`;
    throw new Undecided('skipped', why, { isUnanswered: true });
  }
  if (jsonObject(answer)?.client_id !== undefined) {
    throw new Undecided('skipped', `the probe ${probe} registered an app already, ${limit}`);
  }
  if (answer.status < 400 || answer.status >= 500) {
    const why = `the server answered the probe ${probe} with ${answer.status} and may have registered an app, ${limit}`;
    throw new Undecided('skipped', why);
  }
}

function token(
  what: string,
  body: (evidence: Evidence) => Readonly<Record<string, string>>,
  after: readonly ProbeId[] = [],
): ProbePlan {
  const request = (evidence: Evidence) => postJson(evidence, TOKEN, body(evidence));
  return { line: `POST ${TOKEN} ${what}`, after: ['apps', ...after], request };
}

/** A token request with the code that a probe got; the other fields are added, or replace those of the request. */
function tokenByCode(
  what: string,
  { from, ...fields }: { from: ProbeId } & Readonly<Record<string, string>>,
): ProbePlan {
  const body = (evidence: Evidence) => ({ ...credentials(evidence), ...codeGrant(codeOf(evidence, from)), ...fields });
  return token(what, body, [from]);
}

function revoke(
  what: string,
  after: readonly ProbeId[],
  body: (evidence: Evidence) => Readonly<Record<string, string>>,
): ProbePlan {
  return { line: `POST ${REVOKE} ${what}`, after, request: (evidence) => postJson(evidence, REVOKE, body(evidence)) };
}

function authorize(what: string, query: (evidence: Evidence) => Readonly<Record<string, string>>): ProbePlan {
  const page = (evidence: Evidence) => authorizeUrl(evidence, query(evidence));
  return { line: `GET /oauth/authorize ${what}, on the pages that follow`, after: ['apps'], page, decision: 'approve' };
}

/** An authorization request with a redirect URI that resembles the registered one, and a token request with it for a code of its own. */
function withSimilarUri<Name extends keyof typeof SIMILAR_URIS>(
  name: Name,
  what: string,
): Record<`authorize-redirect-${Name}` | `authorize-for-token-${Name}` | `token-redirect-${Name}`, ProbePlan> {
  const redirect_uri = SIMILAR_URIS[name];
  const first = `authorize-for-token-${name}` as const;
  return {
    [`authorize-redirect-${name}`]: mustBeRefused(`with a redirect_uri ${what}`, ['apps'], (evidence) => ({
      ...appQuery(evidence),
      redirect_uri,
    })),
    [first]: authorize('and approve', appQuery),
    [`token-redirect-${name}`]: tokenByCode(`with a redirect_uri ${what}`, { from: first, redirect_uri }),
  } as ReturnType<typeof withSimilarUri<Name>>;
}

/** An authorization request that must not lead to the redirect URI. */
function mustBeRefused(
  what: string,
  after: readonly ProbeId[],
  query: (evidence: Evidence) => Readonly<Record<string, string>>,
): ProbePlan {
  return {
    line: `GET /oauth/authorize ${what}`,
    after,
    refusal: (evidence) => authorizeUrl(evidence, query(evidence)),
  };
}

function clientGrant(evidence: Evidence) {
  return { ...credentials(evidence), grant_type: 'client_credentials' };
}

function codeGrant(code: string): Record<'grant_type' | 'redirect_uri' | 'code', string> {
  return { grant_type: 'authorization_code', redirect_uri: REDIRECT_URI, code };
}

function codeOf(evidence: Evidence, probe: ProbeId): string {
  const code = evidence.redirect(probe)?.searchParams.get('code');
  if (code === null || code === undefined) throw new Undecided('skipped', `the probe ${probe} returned no code`);
  return code;
}

function challengeQuery(evidence: Evidence): Record<string, string> {
  const challenge = createHash('sha256').update(evidence.options.verifier).digest('base64url');
  return { ...appQuery(evidence), code_challenge: challenge, code_challenge_method: 'S256' };
}

/** The token of this run if there is one, otherwise that of `--token`. */
function userToken(evidence: Evidence): string {
  const own = tokenIn(evidence.exchanges.findLast(({ probe }) => probe === 'token')?.answer ?? null);
  return own ?? evidence.options.token ?? evidence.string('token', 'access_token');
}

function tokenIn(answer: Answer | null): string | null {
  const token = answer === null ? undefined : jsonObject(answer)?.access_token;
  return typeof token === 'string' && token !== '' ? token : null;
}

/** The `href` of the 2.0 link, if it is on the server under test. */
function hrefOf(evidence: Evidence): string {
  const href = linkOf(evidence)?.href;
  if (href === undefined) throw new Undecided('skipped', 'there is no 2.0 link');
  const url = typeof href === 'string' ? URL.parse(href) : null;
  if (url === null) throw new Undecided('skipped', 'the href of the 2.0 link is not a URL');
  if (url.origin !== new URL(evidence.options.base).origin) {
    throw new Undecided('not shown', `the href is on ${url.origin}, and only the server under test is contacted`);
  }
  return url.href;
}

/** The tokens of this run that no probe has revoked. */
export function unrevokedTokens(evidence: Evidence): string[] {
  const issued = new Set<string>();
  for (const { probe, answer, request } of evidence.exchanges) {
    const revocation =
      probe.startsWith('revoke') && answer?.status === 200 ? jsonObject({ text: request.body ?? '' }) : null;
    if (typeof revocation?.token === 'string') issued.delete(revocation.token);
    const token = tokenIn(answer);
    if (token !== null) issued.add(token);
  }
  return [...issued];
}
