import { property } from '../../identify/field-reader.ts';
import { answerWords, challengeOf, contentTypeOf, isHtml, jsonOf } from '../answers.ts';
import type { Evidence, Exchange, RequestName } from '../evidence.ts';
import { fail, info, type Judgement, pass, type Rule, showText, warn } from '../rule.ts';
import { apiServesWebApp, isService } from '../server-state.ts';

const REFUSED: ReadonlySet<number> = new Set([400, 401, 403, 422]);

export const PASS_ON =
  'Let the web server pass the request to Loops, with its body, and show no page of its own in place of the answer. In nginx:\n\n    location / {\n        try_files $uri $uri/ /index.php?$query_string;\n    }\n    fastcgi_intercept_errors off;\n    proxy_intercept_errors off;';
const FRESH_ROUTES =
  'Where the routes of an older version are still cached, that is forgotten with:\n\n    php artisan optimize:clear';

/** The answer of a Loops server to a harmless request; null when it cannot be judged, or another rule reports it. */
function judgeableAnswer(evidence: Evidence, name: RequestName): (Exchange & { status: number }) | null {
  const exchange = evidence.answers[name];
  if (!isService(evidence) || exchange === null || exchange.status === null || exchange.failure !== null) return null;
  const { status } = exchange;
  if (status === 429 || status >= 500 || challengeOf(exchange) !== null) return null;
  if (name === 'apps' && apiServesWebApp(evidence)) return null;
  return { ...exchange, status };
}

/**
 * Judges the answer to an empty request, which these endpoints should refuse in JSON with a reason.
 *
 * @param result the beginning of a sentence: the request and its answer.
 */
function refusalOf(exchange: Exchange & { status: number }, result: string): Judgement {
  const { status } = exchange;
  const json = jsonOf(exchange);
  if (status === 419) {
    return fail(
      `${result}: the page of a form that has expired. Apps have no such form, and cannot sign in.`,
      'The address is behind the protection of forms (CSRF): take it out, in bootstrap/app.php, and see that nothing rewrites its path:\n\n    $middleware->validateCsrfTokens(except: ["oauth/*", "api/*"]);',
    );
  }
  if (status === 404 || status === 405) return fail(`${result}: apps cannot sign in.`, `${PASS_ON}\n\n${FRESH_ROUTES}`);
  if (status < 300)
    return fail(
      `${result}, to a request with nothing in it${isHtml(exchange) ? ': the web app came in place of the answer' : ''}.`,
      PASS_ON,
    );
  if (status < 400) return warn(`${result}: apps do not follow it.`, PASS_ON);
  if (json === null) {
    return warn(`${result}, which is not JSON: apps cannot tell what was wrong.`, PASS_ON);
  }
  if (typeof property(json, 'error') !== 'string' && typeof property(json, 'message') !== 'string') {
    return warn(`${result}, with neither \`error\` nor \`message\` in it.`, PASS_ON);
  }
  if (!/[/+]json$/.test(contentTypeOf(exchange) ?? '')) {
    return warn(`${result}: JSON, which its content type does not say.`, PASS_ON);
  }
  return REFUSED.has(status) ? pass(`${result}.`) : warn(`${result}; 400, 401 or 422 was to be expected.`, PASS_ON);
}

/** The request and its answer, as the beginning of a sentence. */
function describeAnswer(what: string, exchange: Exchange): string {
  return `${what} gives ${answerWords(exchange)}`;
}

/** The access token in an answer; null when there is none. */
function tokenIn(exchange: Exchange): string | null {
  const token = property(jsonOf(exchange), 'access_token');
  return typeof token === 'string' && token !== '' ? token : null;
}

export const oauthApps: Rule = {
  id: 'oauth-apps',
  area: 'oauth',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Apps can register, and an empty registration is refused',
  checks:
    'Sends an empty JSON object to `POST /api/v1/apps`, in which there is nothing to register. It should answer 422 (or 400) in JSON. Fails for an app, any other success, 401, 403, 404, 405 and an expired form (419); warns for what is not JSON.',
  why: 'The official app registers itself before each first sign-in on a server. Where it cannot, nobody signs in with it.',
  sources: ['Specification section 4.3'],
  cure: PASS_ON,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'apps');
    if (exchange === null) return null;
    const result = describeAnswer('POST /api/v1/apps', exchange);
    if (property(jsonOf(exchange), 'client_id') !== undefined) {
      return fail(
        `${result}, and with an app, though nothing was said of one.`,
        'Update Loops: what it takes is not looked at.\n\n    git pull\n    composer install --no-dev\n    php artisan migrate --force\n    php artisan optimize',
      );
    }
    if (exchange.status === 401 || exchange.status === 403) {
      return fail(
        `${result}: apps cannot register, and so nobody can sign in with one.`,
        'Registration of apps needs no login. Take what asks for one, or forbids POST, off this path: `auth_basic`, a firewall for web applications, a rule of the proxy. In nginx:\n\n    location = /api/v1/apps {\n        auth_basic off;\n        try_files $uri /index.php?$query_string;\n    }',
      );
    }
    return refusalOf(exchange, result);
  },
};

export const oauthAuthorize: Rule = {
  id: 'oauth-authorize',
  area: 'oauth',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The page to approve an app on is there, and refuses unknown apps',
  checks:
    'Asks `GET /oauth/authorize` for an app that is not registered. It should be refused, or lead to the sign-in of this server. Fails for 404, and for a redirect to another host.',
  why: 'Every app sends people here to sign in. A server that forwards them to an unregistered address can be abused for phishing.',
  sources: ['Specification sections 4.1 and 5', 'RFC 6749 section 4.1.2.1', 'RFC 9700 section 4.11'],
  cure: PASS_ON,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'authorize');
    if (exchange === null) return null;
    const { status, headers, url } = exchange;
    const result = describeAnswer('GET /oauth/authorize for an unknown app', exchange);
    if (status >= 300 && status < 400) {
      const to = URL.parse(headers.location ?? '', url);
      if (to !== null && to.host === new URL(url).host) return pass(`${result}.`);
      const where = to === null ? 'nowhere' : showText(to.host);
      return fail(
        `${result}: people are sent on to ${where}, which nobody has registered.`,
        `If a proxy does that, take the redirect out. If it is Loops, it is a security hole: update it, and report it to its developers.\n\n    php artisan optimize:clear`,
      );
    }
    if (status === 404 || status === 405)
      return fail(
        `${result}: people cannot sign in with an app.`,
        `${PASS_ON}\n\nWhere the routes of an older version are still cached, that is forgotten with:\n\n    php artisan optimize:clear`,
      );
    if (status < 300) return info(`${result}: an unknown app is not refused at once.`);
    return status === 400 || status === 401 || status === 403 || status === 422
      ? pass(`${result}.`)
      : warn(`${result}; 400 or 401 was to be expected.`, PASS_ON);
  },
};

export const oauthToken: Rule = {
  id: 'oauth-token',
  area: 'oauth',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The token endpoint refuses an empty request, and says why',
  checks:
    'Sends an empty JSON object to `POST /oauth/token`. It should answer 400, 401 or 422 in JSON with `error` or `message`. Fails for a token, any other success, 404, 405 and an expired form (419); warns for what is not JSON.',
  why: 'Each app exchanges its code for a token here. A fault of this address blocks every app, and shows only as "sign-in failed".',
  sources: ['Specification section 4.2', 'RFC 6749 section 5.2'],
  cure: PASS_ON,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'token');
    if (exchange === null) return null;
    const result = describeAnswer('POST /oauth/token', exchange);
    if (tokenIn(exchange) !== null) {
      return fail(
        `${result}, and with a token, though nothing was shown for it.`,
        'Take the server off the net until it is known why. Something in front of Loops may add credentials to requests: take `Authorization` out of what the proxy sets.\n\n    php artisan down',
      );
    }
    return refusalOf(exchange, result);
  },
};

export const oauthRevoke: Rule = {
  id: 'oauth-revoke',
  area: 'oauth',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The endpoint that revokes tokens is there',
  checks:
    'Sends an empty JSON object to `POST /oauth/revoke`. It should be refused in JSON, or answered 200. Notes a server that does not have it, which Loops itself does not yet; else as for the token endpoint.',
  why: 'A user who signs out of an app expects its token to become invalid. Without this endpoint it stays valid until it expires.',
  sources: ['Specification section 4, endpoint 3', 'RFC 7009'],
  cure: `Nothing can be done where Loops does not have it. Where it does:\n\n${PASS_ON.slice(PASS_ON.indexOf('    '))}`,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'revoke');
    if (exchange === null) return null;
    const { status } = exchange;
    const result = describeAnswer('POST /oauth/revoke', exchange);
    if (status === 404 || status === 405)
      return info(`${result}: tokens cannot be given back. That is how Loops is so far.`);
    if (status < 300 && !isHtml(exchange)) return pass(`${result}.`);
    return refusalOf(exchange, result);
  },
};

/** The rules of OAuth, in the order of a report. */
export const oauthRules: readonly Rule[] = [oauthApps, oauthAuthorize, oauthToken, oauthRevoke];
