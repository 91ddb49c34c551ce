import { createHash } from 'node:crypto';
import { authorizationsOf, type Call, type ClientRun, isTo, PATHS } from './call.ts';
import { eachCall, eachRun, type Judge } from './judge.ts';

const OUT_OF_BAND = 'urn:ietf:wg:oauth:2.0:oob';

/** The judges of the clauses about registration, authorization and tokens. */
export const OAUTH_JUDGES: Readonly<Record<string, Judge>> = {
  'client.json': eachCall(
    ({ calls }) => calls.filter(({ method, path }) => method === 'POST' && path !== PATHS.authorize),
    ({ headers, path, body, status }) => {
      // The reference server refuses a body that it cannot parse.
      if (body === null && status === 400 && Number(headers['content-length']) > 0) return 'the body cannot be parsed';
      const type = String(headers['content-type'] ?? 'missing');
      // RFC 7009 uses a form, and the specification does not show the body of a revocation.
      if (path === PATHS.revoke && /^application\/x-www-form-urlencoded *(?:;|$)/i.test(type)) return null;
      return /^application\/json *(?:;|$)/i.test(type) ? null : `the header Content-Type is ${type}`;
    },
  ),

  'client.apps.fields': eachCall(registrations, ({ fields }) => {
    const uris = Array.isArray(fields.redirect_uris) ? fields.redirect_uris : [fields.redirect_uris];
    const wrong =
      (isText(fields.client_name) ? undefined : 'client_name') ??
      (uris.length > 0 && uris.every(isText) ? undefined : 'redirect_uris') ??
      ['scopes', 'website'].find((name) => fields[name] !== undefined && typeof fields[name] !== 'string');
    return wrong === undefined ? null : `${wrong} is ${kindOf(fields[wrong])}`;
  }),
  'client.apps.once': eachRun(({ apps }) => {
    const [first, second] = apps;
    if (first === undefined) return undefined;
    return {
      call: second?.call ?? null,
      problem: second === undefined ? null : `the client registered ${apps.length} apps`,
    };
  }),
  'client.registered-first': eachCall(authorizationsOf, ({ at }, { apps }) =>
    apps.some(({ call }) => call.answeredAt <= at) ? null : 'the client had not registered an app',
  ),

  'client.authorize.response_type': eachCall(authorizationsOf, ({ query }) =>
    query.get('response_type') === 'code' ? null : `response_type is ${query.get('response_type') ?? 'missing'}`,
  ),
  'client.authorize.client_id': eachCall(authorizationsOf, (call, run) =>
    appOf(call.query.get('client_id'), run) === undefined ? 'no registered app has this client_id' : null,
  ),
  'client.authorize.redirect_uri': eachCall(authorizationsOfApps, ({ query }, run) => {
    const uri = query.get('redirect_uri');
    if (uri === null) return 'redirect_uri is missing';
    const registered = appOf(query.get('client_id'), run)?.redirectUris ?? [];
    return registered.some((one) => withoutLoopbackPort(one) === withoutLoopbackPort(uri))
      ? null
      : 'the app did not register this redirect_uri';
  }),
  'client.authorize.scope': eachCall(authorizationsOfApps, ({ query }, run) => {
    const allowed = appOf(query.get('client_id'), run)?.scopes ?? [];
    const unregistered = (query.get('scope') || 'read').split(' ').find((scope) => !allowed.includes(scope));
    return unregistered === undefined ? null : `the app did not register the scope ${unregistered}`;
  }),
  'client.redirect.loopback': eachCall(
    (run) => authorizationsOf(run).filter(({ query }) => /^http:\/\//.test(query.get('redirect_uri') ?? '')),
    ({ query }) =>
      /^http:\/\/localhost[:/?]/.test(query.get('redirect_uri') ?? '')
        ? 'the redirect_uri names localhost, which may resolve to another address'
        : null,
  ),
  'client.state.sent': eachCall(authorizationsOf, (call, _run, runs) => {
    const state = call.query.get('state');
    if (state === null || state === '') return 'state is missing';
    return isRepeated('state', call, runs) ? 'an earlier authorization request had the same state' : null;
  }),
  'client.state.checked': eachCall(
    codesWith((returned, { query }) => query.has('state') && returned.get('state') !== query.get('state')),
    problemIfExchanged('the redirect had another state than the request, and the client still exchanged the code'),
  ),
  'client.iss.checked': eachCall(
    codesWith((returned, _call, { url }) => returned.has('iss') && returned.get('iss') !== url),
    problemIfExchanged('the redirect had the iss of another server, and the client still exchanged the code'),
  ),
  'client.denied': eachCall(
    ({ calls }) => calls.filter(({ location }) => location !== null && /[?&]error=access_denied(?:&|$)/.test(location)),
    (denied, run) =>
      codeExchangesOf(run).some(({ at }) => at >= denied.at) ? 'the client then requested a token with a code' : null,
  ),

  'client.token.grant_type': eachCall(tokenRequests, ({ fields: { grant_type } }) =>
    grant_type === 'authorization_code' || grant_type === 'client_credentials'
      ? null
      : `grant_type is ${kindOf(grant_type)}`,
  ),
  'client.token.credentials': eachCall(tokenRequests, ({ fields, headers }) => {
    if (/^basic /i.test(String(headers.authorization))) return 'the credentials are in the header Authorization';
    if (!isText(fields.client_id)) return 'the body has no client_id';
    return isText(fields.client_secret) || isText(fields.code_verifier) || fields.redirect_uri === OUT_OF_BAND
      ? null
      : 'the body has neither a client_secret nor, as a client without a secret needs, a code_verifier';
  }),
  'client.token.redirect_uri': eachCall(codeExchangesOf, ({ fields }, run) => {
    const requested = codeOf(fields.code, run)?.call.query.get('redirect_uri');
    if (!isText(fields.redirect_uri)) return 'the body has no redirect_uri';
    return requested === undefined || requested === fields.redirect_uri
      ? null
      : 'the authorization request had another redirect_uri';
  }),
  'client.token.code': eachCall(codeExchangesOf, ({ fields }, run) =>
    codeOf(fields.code, run) === undefined ? 'the server did not issue this code' : null,
  ),
  'client.token.code.once': eachCall(
    (run) => codeExchangesOf(run).filter(({ fields }) => codeOf(fields.code, run) !== undefined),
    (call, run) =>
      codeExchangesOf(run).some(({ at, fields }) => at < call.at && fields.code === call.fields.code)
        ? 'the client had sent this code before'
        : null,
  ),
  'client.pkce.method': eachCall(authorizationsWithChallenge, ({ query }) =>
    query.get('code_challenge_method') === 'S256'
      ? null
      : `code_challenge_method is ${query.get('code_challenge_method') ?? 'missing'}`,
  ),
  'client.pkce.fresh': eachCall(authorizationsWithChallenge, (call, _run, runs) =>
    isRepeated('code_challenge', call, runs) ? 'an earlier authorization request had the same code_challenge' : null,
  ),
  'client.pkce.verifier': eachCall(
    (run) => codeExchangesOf(run).filter(({ fields }) => codeOf(fields.code, run)?.call.query.has('code_challenge')),
    ({ fields: { code, code_verifier: verifier } }, run) => {
      if (!isText(verifier)) return 'the body has no code_verifier';
      if (!/^[\w\-.~]{43,128}$/.test(verifier)) return 'the code_verifier has a wrong length or character';
      const query = codeOf(code, run)?.call.query;
      const digest = createHash('sha256').update(verifier).digest('base64url');
      return query?.get('code_challenge') === digest ? null : 'the code_verifier does not fit the challenge';
    },
  ),

  'client.token.header': eachCall(
    ({ calls }) => calls.filter((call) => isTo(call, 'GET', PATHS.account)),
    ({ bearer }, { tokens }) => {
      if (bearer === null) return 'the header Authorization has no Bearer token';
      return tokens.has(bearer) ? null : 'the server did not issue this token';
    },
  ),
  'client.token.scope': eachCall(
    ({ calls, tokens }) =>
      calls.filter((call) => isTo(call, 'GET', PATHS.account) && scopeOf(call, tokens) !== undefined),
    (call, { tokens }) => {
      const scope = scopeOf(call, tokens) ?? '';
      return scope.split(' ').includes('read') ? null : `the token has the scope ${JSON.stringify(scope)}`;
    },
  ),
  'client.token.only-in-header': eachCall(
    ({ calls, tokens }) => (tokens.size === 0 ? [] : calls),
    ({ target, path, body, headers }, { tokens }) => {
      const { authorization: _, ...others } = headers;
      const inBody = path === PATHS.revoke ? null : body;
      const place = placeOf([...tokens.keys()], { 'the URL': target, 'the body': inBody, 'another header': others });
      return place === undefined ? null : `the token is in ${place}`;
    },
  ),
  'client.token.revoked': eachCall(
    ({ calls }) => calls.filter(({ bearer, status }) => bearer !== null && status === 401),
    ({ bearer, answeredAt }, { calls }) =>
      calls.some((call) => call.bearer === bearer && call.at > answeredAt && call.path !== PATHS.revoke)
        ? 'the client sent the token again'
        : null,
  ),
  'client.secret.kept': eachCall(
    ({ calls, apps }) => (apps.length === 0 ? [] : calls),
    ({ target, path, body, headers }, { apps }) => {
      const secrets = apps.map(({ secret }) => secret);
      const mayHaveSecret = path === PATHS.token || path === PATHS.revoke;
      const basic = mayHaveSecret ? null : /^basic +(.*)$/i.exec(String(headers.authorization))?.[1];
      const place = placeOf(secrets, {
        'the URL': target,
        'the body': mayHaveSecret ? null : body,
        'a header': [headers, Buffer.from(basic ?? '', 'base64').toString()],
      });
      return place === undefined ? null : `the client_secret is in ${place}`;
    },
  ),
  'client.revoke': eachCall(
    ({ calls }) => calls.filter((call) => isTo(call, 'POST', PATHS.revoke) && call.body !== null),
    ({ fields }) => (isText(fields.token) ? null : 'the body has no token'),
  ),
};

function registrations({ calls }: ClientRun): Call[] {
  return calls.filter((call) => isTo(call, 'POST', PATHS.apps) && call.body !== null);
}

/** The token requests whose body is known: a fault answers before the body is read, and a body may be invalid. */
function tokenRequests({ calls }: ClientRun): Call[] {
  return calls.filter((call) => isTo(call, 'POST', PATHS.token) && call.body !== null);
}

function codeExchangesOf(run: ClientRun): Call[] {
  return tokenRequests(run).filter(
    ({ fields }) => fields.grant_type === 'authorization_code' || fields.code !== undefined,
  );
}

/** The authorization requests of registered apps. */
function authorizationsOfApps(run: ClientRun): Call[] {
  return authorizationsOf(run).filter(({ query }) => appOf(query.get('client_id'), run) !== undefined);
}

function authorizationsWithChallenge(run: ClientRun): Call[] {
  return authorizationsOf(run).filter(({ query }) => query.has('code_challenge'));
}

function scopeOf({ bearer }: Call, tokens: ClientRun['tokens']): string | undefined {
  return bearer === null ? undefined : tokens.get(bearer);
}

function appOf(clientId: string | null, { apps }: ClientRun) {
  return apps.find((app) => app.clientId === clientId);
}

function codeOf(text: unknown, { codes }: ClientRun) {
  return codes.find((code) => code.text === text);
}

/** Selects the calls that brought a code with a redirect for which `isWanted` holds. */
function codesWith(isWanted: (returned: URLSearchParams, call: Call, run: ClientRun) => boolean) {
  return (run: ClientRun) =>
    run.codes.flatMap(({ call, returned }) => (returned !== null && isWanted(returned, call, run) ? [call] : []));
}

/** Reports a code that came with this call and that the client exchanged. */
function problemIfExchanged(problem: string) {
  return (call: Call, run: ClientRun) => {
    const text = run.codes.find((code) => code.call === call)?.text;
    return codeExchangesOf(run).some(({ fields }) => fields.code === text) ? problem : null;
  };
}

/** Whether an earlier authorization request of any scenario has the same value of the query parameter. */
function isRepeated(parameter: string, { at, query }: Call, runs: readonly ClientRun[]): boolean {
  const isSame = (other: Call) => other.at < at && other.query.get(parameter) === query.get(parameter);
  return runs.some((run) => authorizationsOf(run).some(isSame));
}

/** The first place that contains one of the secrets, also when it is percent-encoded. */
function placeOf(secrets: readonly string[], places: Readonly<Record<string, unknown>>): string | undefined {
  const found = Object.entries(places).find(([, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
    return secrets.some((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)));
  });
  return found?.[0];
}

function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  return value === null || typeof value === 'object' ? 'not a string' : JSON.stringify(value);
}
