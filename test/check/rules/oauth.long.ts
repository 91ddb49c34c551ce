import { describe, expect, it } from 'vitest';
import { oauthApps, oauthAuthorize, oauthRevoke, oauthRules, oauthToken } from '../../../src/check/rules/oauth.ts';
import { itFindsAndCures } from '../broken-and-cured.ts';
import { evidenceOf, healthyAnswer, noAnswers } from '../evidence-of.ts';
import type { HostBehaviour } from '../operator-host.ts';

/** An `answer` of a host that replies the same to all requests for paths that begin like this. */
const fixedAnswer =
  (path: string, status: number, type: string, body: string, headers = {}): HostBehaviour['answer'] =>
  (request, response) => {
    if (!(request.url ?? '').startsWith(path)) return false;
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    return true;
  };
const JSON_TYPE = 'application/json';
const webApp = '<!doctype html><html><body><div id="app"></div></body></html>';

describe('the rules of OAuth report each defect, and pass after its cure is applied', () => {
  itFindsAndCures(oauthRules, [
    {
      title: 'reports an endpoint that refuses to register apps',
      id: 'oauth-apps',
      severity: 'fail',
      detail: /gives 403 Forbidden as HTML: apps cannot register/,
      cure: /location = \/api\/v1\/apps/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer('/api/v1/apps', 403, 'text/html', '<html>') }),
    },
    {
      title: 'reports an endpoint that accepts an empty registration',
      id: 'oauth-apps',
      severity: 'fail',
      detail: /registers an app without any details/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer('/api/v1/apps', 200, JSON_TYPE, '{"client_id":"1"}') }),
    },
    {
      title: 'reports a missing consent page',
      id: 'oauth-authorize',
      severity: 'fail',
      detail: /gives 404 Not Found.*cannot sign in with an app/,
      cure: /php artisan optimize:clear/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/oauth/authorize', fault: 'status', status: 404 }];
      },
    },
    {
      title: 'reports a redirect to an unregistered URL',
      id: 'oauth-authorize',
      severity: 'fail',
      detail: /redirected to client\.example, which no app has registered/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, {
          answer: fixedAnswer('/oauth/authorize', 302, JSON_TYPE, '', {
            location: 'https://client.example/callback?error=a',
          }),
        }),
    },
    {
      title: 'reports a token issued without credentials',
      id: 'oauth-token',
      severity: 'fail',
      detail: /issues a token without credentials/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, {
          answer: fixedAnswer('/oauth/token', 200, JSON_TYPE, '{"access_token":"a","token_type":"Bearer"}'),
        }),
    },
    {
      title: 'reports form (CSRF) protection of the token endpoint',
      id: 'oauth-token',
      severity: 'fail',
      detail: /419/,
      cure: /SANCTUM_STATEFUL_DOMAINS=loops\.example\n/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer('/oauth/token', 419, 'text/html', '<html>') }),
    },
    {
      title: 'reports a web app served instead of the answer',
      id: 'oauth-token',
      severity: 'fail',
      detail: /200 OK as HTML, to an empty request: the web app/,
      cure: /try_files/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer('/oauth/token', 200, 'text/html', webApp) }),
    },
    {
      title: 'reports an error page served instead of a reason',
      id: 'oauth-token',
      severity: 'warn',
      detail: /which is not JSON/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer('/oauth/token', 400, 'text/html', '<html>') }),
    },
    {
      title: 'reports an error page served instead of a reason',
      id: 'oauth-revoke',
      severity: 'warn',
      detail: /which is not JSON/,
      cure: /^If your version of Loops lacks this endpoint.*try_files/s,
      host: { server: { profile: 'spec' } },
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer('/oauth/revoke', 400, 'text/html', '<html>') }),
    },
    {
      title: 'notes a server that cannot revoke tokens, like Loops itself',
      id: 'oauth-revoke',
      severity: 'info',
      detail: /Loops does not support this yet/,
      host: { server: { profile: 'spec' } },
      break: ({ server }) => {
        server.state.faults = [{ route: '/oauth/revoke', fault: 'status', status: 404 }];
      },
    },
  ]);
});

describe('every rule of OAuth', () => {
  it('reports nothing on a host that received no request, or on other software', () => {
    const other = evidenceOf({ visit: { ...evidenceOf().visit, verdict: 'other', software: 'mastodon' } });
    for (const evidence of [evidenceOf({ answers: noAnswers() }), other]) {
      expect(oauthRules.map((rule) => rule.judge(evidence))).toEqual(oauthRules.map(() => null));
    }
  });

  it('leaves 429, server errors and challenges to the rules that report those', () => {
    const challenge = '<!doctype html><title>Just a moment...</title>';
    for (const changes of [{ status: 429 }, { status: 500 }, { status: 403, body: challenge }]) {
      const answers = { token: healthyAnswer('token', changes) };
      expect(oauthToken.judge(evidenceOf({ answers }))).toBeNull();
    }
  });
});

describe('oauth-authorize', () => {
  const judgeAuthorize = (changes: Parameters<typeof healthyAnswer>[1]) =>
    oauthAuthorize.judge(evidenceOf({ answers: { authorize: healthyAnswer('authorize', changes) } }));

  it('passes a redirect to the sign-in page, and an HTML error', () => {
    expect(judgeAuthorize({ status: 302, headers: { location: '/login' } })).toMatchObject({ severity: 'pass' });
    expect(judgeAuthorize({ status: 400, body: '<html>', headers: { 'content-type': 'text/html' } })).toMatchObject({
      severity: 'pass',
    });
  });

  it('notes a page that appears for an unknown app', () => {
    expect(judgeAuthorize({ status: 200, body: webApp })).toMatchObject({ severity: 'info' });
  });
});

describe('oauth-token, oauth-apps and oauth-revoke', () => {
  it('pass the responses of Laravel and Passport', () => {
    expect([oauthToken, oauthApps, oauthRevoke].map((rule) => rule.judge(evidenceOf())?.severity)).toEqual([
      'pass',
      'pass',
      'pass',
    ]);
  });

  it('warn of an error without a reason, and of an unexpected status', () => {
    const withoutReason = healthyAnswer('token', { json: {} });
    expect(oauthToken.judge(evidenceOf({ answers: { token: withoutReason } }))).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('without `error` and `message`'),
    });
    const mislabelled = healthyAnswer('token', { headers: { 'content-type': 'text/html' } });
    expect(oauthToken.judge(evidenceOf({ answers: { token: mislabelled } }))).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('content type'),
    });
    const odd = healthyAnswer('apps', { status: 418 });
    expect(oauthApps.judge(evidenceOf({ answers: { apps: odd } }))).toMatchObject({ severity: 'warn' });
  });

  it('fail for a missing endpoint, and pass 200 for a revocation without a token', () => {
    const token = healthyAnswer('token', { status: 405 });
    expect(oauthToken.judge(evidenceOf({ answers: { token } }))).toMatchObject({ severity: 'fail' });
    const revoke = healthyAnswer('revoke', { status: 200, json: {} });
    expect(oauthRevoke.judge(evidenceOf({ answers: { revoke } }))).toMatchObject({ severity: 'pass' });
  });
});
