import { describe, expect, it } from 'vitest';
import type { DeepEvidence } from '../../../src/check/evidence.ts';
import { oauthApps } from '../../../src/check/rules/oauth/oauth-apps.ts';
import { oauthAuthorize } from '../../../src/check/rules/oauth/oauth-authorize.ts';
import { oauthDeepApp } from '../../../src/check/rules/oauth/oauth-deep-app.ts';
import { oauthDeepRevoke } from '../../../src/check/rules/oauth/oauth-deep-revoke.ts';
import { oauthDeepSelf } from '../../../src/check/rules/oauth/oauth-deep-self.ts';
import { oauthDeepToken } from '../../../src/check/rules/oauth/oauth-deep-token.ts';
import { oauthRevoke } from '../../../src/check/rules/oauth/oauth-revoke.ts';
import { oauthToken } from '../../../src/check/rules/oauth/oauth-token.ts';
import { oauthRules } from '../../../src/check/rules/oauth.ts';
import { itFindsAndCures } from '../broken-and-cured.ts';
import { evidenceOf, exchangeOf, noAnswers, perfect } from '../evidence-of.ts';
import type { Virtues } from '../operator-host.ts';

const answer =
  (path: string, status: number, type: string, body: string, headers = {}): Virtues['answer'] =>
  (request, response) => {
    if (!(request.url ?? '').startsWith(path)) return false;
    response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    return true;
  };
const json = 'application/json';
const app = '<!doctype html><html><body><div id="app"></div></body></html>';

describe('the rules of OAuth find what is broken, and pass once it is cured', () => {
  itFindsAndCures(oauthRules, [
    {
      title: 'names an endpoint where apps are forbidden to register',
      id: 'oauth-apps',
      severity: 'fail',
      detail: /gives 403 Forbidden as HTML: apps cannot register/,
      cure: /location = \/api\/v1\/apps/,
      break: ({ virtues }) => Object.assign(virtues, { answer: answer('/api/v1/apps', 403, 'text/html', '<html>') }),
    },
    {
      title: 'names an endpoint that registers an app of nothing',
      id: 'oauth-apps',
      severity: 'fail',
      detail: /with an app, though nothing was said of one/,
      break: ({ virtues }) =>
        Object.assign(virtues, { answer: answer('/api/v1/apps', 200, json, '{"client_id":"1"}') }),
    },
    {
      title: 'names a page of approval that is not there',
      id: 'oauth-authorize',
      severity: 'fail',
      detail: /gives 404 Not Found.*cannot sign in with an app/,
      cure: /php artisan optimize:clear/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/oauth/authorize', fault: 'status', status: 404 }];
      },
    },
    {
      title: 'names a redirect to an address that nobody registered',
      id: 'oauth-authorize',
      severity: 'fail',
      detail: /sent on to client\.example, which nobody has registered/,
      break: ({ virtues }) =>
        Object.assign(virtues, {
          answer: answer('/oauth/authorize', 302, json, '', { location: 'https://client.example/callback?error=a' }),
        }),
    },
    {
      title: 'names a token that is given for nothing',
      id: 'oauth-token',
      severity: 'fail',
      detail: /with a token, though nothing was shown for it/,
      break: ({ virtues }) =>
        Object.assign(virtues, {
          answer: answer('/oauth/token', 200, json, '{"access_token":"a","token_type":"Bearer"}'),
        }),
    },
    {
      title: 'names the protection of forms',
      id: 'oauth-token',
      severity: 'fail',
      detail: /419/,
      cure: /validateCsrfTokens/,
      break: ({ virtues }) => Object.assign(virtues, { answer: answer('/oauth/token', 419, 'text/html', '<html>') }),
    },
    {
      title: 'names a web app in place of the answer',
      id: 'oauth-token',
      severity: 'fail',
      detail: /200 OK as HTML, to a request with nothing in it: the web app/,
      cure: /try_files/,
      break: ({ virtues }) => Object.assign(virtues, { answer: answer('/oauth/token', 200, 'text/html', app) }),
    },
    {
      title: 'names an error page in place of the reason',
      id: 'oauth-token',
      severity: 'warn',
      detail: /which is not JSON/,
      break: ({ virtues }) => Object.assign(virtues, { answer: answer('/oauth/token', 400, 'text/html', '<html>') }),
    },
    {
      title: 'notes a server that cannot revoke, as Loops cannot',
      id: 'oauth-revoke',
      severity: 'info',
      detail: /That is how Loops is so far/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/oauth/revoke', fault: 'status', status: 404 }];
      },
    },
    {
      title: 'names a registration that fails when it is whole',
      id: 'oauth-deep-app',
      severity: 'fail',
      detail: /whole registration gives 500/,
      cure: /laravel\.log/,
      options: { deep: true },
      break: ({ virtues }) => {
        let empty = 0;
        virtues.answer = (request, response) => {
          // The first one is that of the empty request.
          if (request.url !== '/api/v1/apps' || empty++ === 0) return false;
          response.writeHead(500, { 'content-type': json }).end('{"message":"Server Error"}');
          return true;
        };
      },
    },
    {
      title: 'names keys that are missing',
      id: 'oauth-deep-token',
      severity: 'fail',
      detail: /with client_credentials gives 500/,
      cure: /php artisan passport:keys/,
      options: { deep: true },
      break: ({ virtues }) => {
        let empty = 0;
        virtues.answer = (request, response) => {
          if (request.url !== '/oauth/token' || empty++ === 0) return false;
          response.writeHead(500, { 'content-type': json }).end('{"message":"Server Error"}');
          return true;
        };
      },
    },
    {
      title: 'names a token without a user that shows an account',
      id: 'oauth-deep-self',
      severity: 'fail',
      detail: /gives 200 OK/,
      options: { deep: true },
      beside: ['oauth-deep-revoke'],
      break: ({ virtues }) => Object.assign(virtues, { answer: answer('/api/v1/account', 200, json, '{"data":{}}') }),
    },
    {
      title: 'names a token that holds although it is revoked',
      id: 'oauth-deep-revoke',
      severity: 'fail',
      detail: /and yet the token still holds/,
      options: { deep: true },
      break: ({ virtues }) => Object.assign(virtues, { answer: answer('/oauth/revoke', 200, json, '{}') }),
    },
  ]);
});

describe('every rule of OAuth', () => {
  it('says nothing of a host that was not asked, nor of other software', () => {
    const other = evidenceOf({ visit: { ...evidenceOf().visit, verdict: 'other', software: 'mastodon' } });
    for (const evidence of [evidenceOf({ answers: noAnswers() }), other]) {
      expect(oauthRules.map((rule) => rule.judge(evidence))).toEqual(oauthRules.map(() => null));
    }
  });

  it('leaves a 429, a server error and a challenge to their rules', () => {
    const challenge = '<!doctype html><title>Just a moment...</title>';
    for (const changes of [{ status: 429 }, { status: 500 }, { status: 403, body: challenge }]) {
      const answers = { token: perfect('token', changes) };
      expect(oauthToken.judge(evidenceOf({ answers }))).toBeNull();
    }
  });
});

describe('oauth-authorize', () => {
  const authorize = (changes: Parameters<typeof perfect>[1]) =>
    oauthAuthorize.judge(evidenceOf({ answers: { authorize: perfect('authorize', changes) } }));

  it('passes a redirect to the sign-in of the server, and a refusal in HTML', () => {
    expect(authorize({ status: 302, headers: { location: '/login' } })).toMatchObject({ severity: 'pass' });
    expect(authorize({ status: 400, body: '<html>', headers: { 'content-type': 'text/html' } })).toMatchObject({
      severity: 'pass',
    });
  });

  it('notes a page that is shown for an unknown app', () => {
    expect(authorize({ status: 200, body: app })).toMatchObject({ severity: 'info' });
  });
});

describe('oauth-token, oauth-apps and oauth-revoke', () => {
  it('pass what Laravel and Passport answer', () => {
    expect([oauthToken, oauthApps, oauthRevoke].map((rule) => rule.judge(evidenceOf())?.severity)).toEqual([
      'pass',
      'pass',
      'pass',
    ]);
  });

  it('warn of a refusal that does not say why, and of an odd status', () => {
    const silent = perfect('token', { json: {} });
    expect(oauthToken.judge(evidenceOf({ answers: { token: silent } }))).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('neither'),
    });
    const unsaid = perfect('token', { headers: { 'content-type': 'text/html' } });
    expect(oauthToken.judge(evidenceOf({ answers: { token: unsaid } }))).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('content type'),
    });
    const odd = perfect('apps', { status: 418 });
    expect(oauthApps.judge(evidenceOf({ answers: { apps: odd } }))).toMatchObject({ severity: 'warn' });
  });

  it('fail an endpoint that is not there, and pass a revocation of nothing with 200', () => {
    const token = perfect('token', { status: 405 });
    expect(oauthToken.judge(evidenceOf({ answers: { token } }))).toMatchObject({ severity: 'fail' });
    const revoke = perfect('revoke', { status: 200, json: {} });
    expect(oauthRevoke.judge(evidenceOf({ answers: { revoke } }))).toMatchObject({ severity: 'pass' });
  });
});

describe('the rules of a deep check', () => {
  const deepOf = (changes: Partial<DeepEvidence>) =>
    evidenceOf({
      deep: {
        app: exchangeOf({ json: { id: '1', name: 'a', redirect_uri: 'b', client_id: 'c', client_secret: '***' } }),
        token: exchangeOf({
          json: { access_token: '***', token_type: 'Bearer' },
          headers: { 'content-type': json, 'cache-control': 'no-store, private' },
        }),
        self: exchangeOf({ status: 401, json: { message: 'Unauthenticated.' } }),
        revoke: exchangeOf({ status: 404, json: { message: 'Not Found.' } }),
        selfAfterRevoke: exchangeOf({ status: 401, json: { message: 'Unauthenticated.' } }),
        ...changes,
      },
    });

  it('pass a live server, and note that it cannot revoke', () => {
    const rules = [oauthDeepApp, oauthDeepToken, oauthDeepSelf, oauthDeepRevoke];
    expect(rules.map((rule) => rule.judge(deepOf({}))?.severity)).toEqual(['pass', 'pass', 'pass', 'info']);
  });

  it('note a server that gives apps no token of their own', () => {
    const token = exchangeOf({ status: 400, json: { error: 'unauthorized_client' } });
    expect(oauthDeepToken.judge(deepOf({ token }))).toMatchObject({ severity: 'info' });
  });

  it.each([
    ['a token that a proxy may keep', { access_token: '***', token_type: 'bearer' }, 'warn'],
    ['a token of another type', { access_token: '***', token_type: 'mac' }, 'fail'],
    ['no token', { ok: true }, 'fail'],
  ])('judge %s', (_title, body, severity) => {
    expect(oauthDeepToken.judge(deepOf({ token: exchangeOf({ json: body }) }))).toMatchObject({ severity });
  });

  it('warn of a registration without the fields that the specification has', () => {
    const appWithout = exchangeOf({ json: { client_id: 'c', client_secret: '***' } });
    expect(oauthDeepApp.judge(deepOf({ app: appWithout }))).toMatchObject({
      severity: 'warn',
      detail: expect.stringContaining('id, name, redirect_uri'),
    });
  });

  it('pass a revoked token where a token without a user is refused anyhow, and warn of a revocation that is refused', () => {
    const revoke = exchangeOf({ json: {} });
    expect(oauthDeepRevoke.judge(deepOf({ revoke }))).toMatchObject({ severity: 'pass' });
    const refused = exchangeOf({ status: 400, json: { error: 'invalid_request' } });
    expect(oauthDeepRevoke.judge(deepOf({ revoke: refused }))).toMatchObject({ severity: 'warn' });
  });
});
