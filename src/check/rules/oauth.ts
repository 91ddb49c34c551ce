import { property } from '../../identify/field-reader.ts';
import { answerWords, contentTypeOf, isHtml, jsonOf } from '../answers.ts';
import { CONTENT_TYPE_CURE, PASS_TO_LOOPS_LINES } from '../cures.ts';
import type { CheckExchange } from '../evidence.ts';
import { fail, info, type Judgement, pass, type Rule, showText, warn } from '../rule.ts';
import { judgeableAnswer } from '../server-state.ts';

const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 422]);

const PASS_TO_LOOPS_CURE = `Make the web server pass the request with its body to Loops, without replacing the answer by its own error page. In nginx:\n\n${PASS_TO_LOOPS_LINES}`;
const MISSING_ENDPOINT_CURE = `${PASS_TO_LOOPS_CURE}

The server may also refuse the method. This finds such rules:

    grep -rnE 'limit_except|request_method' /etc/nginx/

If the routes of an older version are still cached, clear them:

    php artisan optimize:clear`;

/**
 * Judges the answer to an empty request, which these endpoints should reject in JSON with a reason.
 *
 * @param result the beginning of a sentence: the request and its answer.
 */
function judgeRefusal(exchange: CheckExchange & { status: number }, result: string): Judgement {
  const { status } = exchange;
  const json = jsonOf(exchange);
  if (status === 419) {
    return fail(
      `${result}: the error for an expired form. Apps do not use forms, so they cannot sign in.`,
      `Loops checks form tokens only for requests of its own pages. Make the web server leave the path, \`Origin\` and \`Referer\` of requests unchanged, and list only the name of the server in \`.env\`:\n\n    SANCTUM_STATEFUL_DOMAINS=${new URL(exchange.url).host}\n\nThen make Loops reload its settings:\n\n    php artisan config:cache`,
    );
  }
  if (status === 404 || status === 405) return fail(`${result}: apps cannot sign in.`, MISSING_ENDPOINT_CURE);
  if (status < 300)
    return fail(
      `${result}, to an empty request${isHtml(exchange) ? ': the web app was sent instead of the answer' : ''}.`,
    );
  if (status < 400) return warn(`${result}: apps do not follow it.`);
  if (json === null) {
    return warn(`${result}, which is not JSON, so apps cannot show the cause.`);
  }
  if (typeof property(json, 'error') !== 'string' && typeof property(json, 'message') !== 'string') {
    return warn(`${result}, without \`error\` and \`message\`.`);
  }
  if (!/[/+]json$/.test(contentTypeOf(exchange) ?? '')) {
    return warn(`${result}: JSON, but the content type is different.`, CONTENT_TYPE_CURE);
  }
  return REFUSAL_STATUSES.has(status) ? pass(`${result}.`) : warn(`${result}; 400, 401 or 422 is expected.`);
}

/** The request and its answer, as the beginning of a sentence. */
function describeAnswer(what: string, exchange: CheckExchange): string {
  return `${what} gives ${answerWords(exchange)}`;
}

/** The access token in an answer; null when there is none. */
function tokenIn(exchange: CheckExchange): string | null {
  const token = property(jsonOf(exchange), 'access_token');
  return typeof token === 'string' && token !== '' ? token : null;
}

export const oauthApps: Rule = {
  id: 'oauth-apps',
  worst: 'fail',
  cureFor: 'loops',
  title: 'Apps can register, and an empty registration is refused',
  checks:
    'Sends an empty JSON object to `POST /api/v1/apps`. The answer should be 422 (or 400) in JSON. Fails when an app is registered, and for any other success, 401, 403, 404, 405 and an expired form (419); warns for a redirect, and for any other refusal.',
  why: 'The official app registers itself before the first sign-in on a server. If registration fails, nobody can sign in with the app.',
  sources: ['Specification section 4.3'],
  cure: PASS_TO_LOOPS_CURE,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'apps');
    if (exchange === null) return null;
    const result = describeAnswer('POST /api/v1/apps', exchange);
    if (property(jsonOf(exchange), 'client_id') !== undefined) {
      return fail(
        `${result} and registers an app without any details.`,
        'Update Loops: it does not validate its input.\n\n    git pull\n    composer install --no-dev\n    php artisan migrate --force\n    php artisan optimize',
      );
    }
    if (exchange.status === 401 || exchange.status === 403) {
      return fail(
        `${result}: apps cannot register, so nobody can sign in with one.`,
        'App registration must not require a login. Exempt this path from any setting that requires one or forbids POST: `auth_basic`, a web application firewall, a proxy rule. In nginx:\n\n    location = /api/v1/apps {\n        auth_basic off;\n        try_files $uri /index.php?$query_string;\n    }',
      );
    }
    return judgeRefusal(exchange, result);
  },
};

export const oauthAuthorize: Rule = {
  id: 'oauth-authorize',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The authorization page exists and rejects unknown apps',
  checks:
    'Requests `GET /oauth/authorize` for an unregistered app. The server should reject it, or redirect to its own sign-in page. Fails for 404, 405, and a redirect to another host or an invalid URL; reports a page without an error as info.',
  why: 'Every app sends people here to sign in. A server that redirects them to an unregistered URL can be abused for phishing.',
  sources: ['Specification sections 4.1 and 5', 'RFC 6749 section 4.1.2.1', 'RFC 9700 section 4.11'],
  cure: PASS_TO_LOOPS_CURE,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'authorize');
    if (exchange === null) return null;
    const { status, headers, url } = exchange;
    const result = describeAnswer('GET /oauth/authorize for an unknown app', exchange);
    if (status >= 300 && status < 400) {
      const to = URL.parse(headers.location ?? '', url);
      if (to !== null && to.host === new URL(url).host) return pass(`${result}.`);
      const where = to === null ? 'an invalid URL' : showText(to.host);
      return fail(
        `${result}: people are redirected to ${where}, which no app has registered.`,
        `If a proxy redirects, remove that redirect. If Loops redirects, this is a security hole: update Loops, and report it to its developers.\n\n    php artisan optimize:clear`,
      );
    }
    if (status === 404 || status === 405)
      return fail(`${result}: people cannot sign in with an app.`, MISSING_ENDPOINT_CURE);
    if (status < 300) return info(`${result}: an unknown app is not rejected at once.`);
    return REFUSAL_STATUSES.has(status) ? pass(`${result}.`) : warn(`${result}; 400 or 401 is expected.`);
  },
};

export const oauthToken: Rule = {
  id: 'oauth-token',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The token endpoint rejects an empty request with a reason',
  checks:
    'Sends an empty JSON object to `POST /oauth/token`. The answer should be 400, 401 or 422 in JSON with `error` or `message`. Fails for a token, any other success, 404, 405 and an expired form (419); warns for a redirect, and for any other refusal except a 403 in JSON.',
  why: 'Each app exchanges its code for a token here. A fault here blocks every app, and users only see "sign-in failed".',
  sources: ['Specification section 4.2', 'RFC 6749 section 5.2'],
  cure: PASS_TO_LOOPS_CURE,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'token');
    if (exchange === null) return null;
    const result = describeAnswer('POST /oauth/token', exchange);
    if (tokenIn(exchange) !== null) {
      return fail(
        `${result} and issues a token without credentials.`,
        'Take the server offline until the cause is known. A proxy in front of Loops may add credentials to requests: remove `Authorization` from the headers that it sets.\n\n    php artisan down',
      );
    }
    return judgeRefusal(exchange, result);
  },
};

export const oauthRevoke: Rule = {
  id: 'oauth-revoke',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The endpoint that revokes tokens exists',
  checks:
    'Sends an empty JSON object to `POST /oauth/revoke`. The answer should be a refusal in JSON, or 200. Reports a missing endpoint as info, because Loops does not have it yet; other answers are judged as for the token endpoint.',
  why: 'A user who signs out of an app expects its token to become invalid. Without this endpoint it stays valid until it expires.',
  sources: ['Specification section 4, endpoint 3', 'RFC 7009'],
  cure: `If your version of Loops lacks this endpoint, nothing can be done. Otherwise, pass requests to Loops. In nginx:\n\n${PASS_TO_LOOPS_LINES}`,
  judge(evidence) {
    const exchange = judgeableAnswer(evidence, 'revoke');
    if (exchange === null) return null;
    const { status } = exchange;
    const result = describeAnswer('POST /oauth/revoke', exchange);
    if (status === 404 || status === 405)
      return info(`${result}: apps cannot revoke tokens. Loops does not support this yet.`);
    if (status < 300 && !isHtml(exchange)) return pass(`${result}.`);
    return judgeRefusal(exchange, result);
  },
};

export const oauthRules: readonly Rule[] = [oauthApps, oauthAuthorize, oauthToken, oauthRevoke];
