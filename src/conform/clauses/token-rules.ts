import { clausesOf, type Sections, type ServerClause } from './clause.ts';

const noAppToken = {
  difference: 'Live servers give a registered app no token of its own.',
  inLive: 'not shown',
} as const;

/** The rules of the token endpoint. */
const sections: Sections<ServerClause> = {
  '4.2': {
    'token.grant_type.required': {
      probes: ['token-without-grant'],
      sentence: 'A token request without `grant_type` is refused.',
    },
    'token.grant_type.known': {
      probes: ['token-unknown-grant'],
      sentence: 'A token request with an unknown grant type is refused.',
    },
    'token.grant_type.error': {
      rfc: 'RFC 6749 5.2',
      level: 'should',
      probes: ['token-unknown-grant'],
      sentence: 'The error for an unknown grant type is `unsupported_grant_type`.',
    },
    'token.empty': { probes: ['token-empty'], sentence: 'A token request without any field is refused.' },
    'token.client_id.required': {
      probes: ['token-without-client'],
      sentence: 'A token request without `client_id` is refused.',
    },
    'token.client_id.known': {
      probes: ['token-unknown-client'],
      sentence: 'A token request of an unknown client is refused.',
    },
    'token.client_id.error': {
      rfc: 'RFC 6749 5.2',
      level: 'should',
      probes: ['token-unknown-client'],
      sentence: 'The error for an unknown client is `invalid_client`, with 400 or 401.',
    },
    'token.client_secret.right': {
      probes: ['token-wrong-secret'],
      sentence: 'A token request with the grant `client_credentials` and a wrong client secret is refused.',
    },
    'token.client_secret.app': {
      probes: ['token-without-secret'],
      sentence: 'A token request with the grant `client_credentials` and without a client secret is refused.',
    },
    'token.client_secret.with-code': {
      probes: ['token-code-wrong-secret'],
      sentence: 'A token request with a code and a wrong client secret is refused.',
    },
    'token.client_secret.required': {
      probes: ['token-code-without-secret'],
      sentence:
        'A token request with a code but without `client_secret` is refused, unless the code was requested with PKCE.',
    },
    'token.client_secret.error': {
      rfc: 'RFC 6749 5.2',
      level: 'should',
      probes: ['token-wrong-secret'],
      sentence: 'The error for a wrong client secret is `invalid_client`, with 400 or 401.',
    },
    'token.code.required': {
      probes: ['token-without-code'],
      sentence: 'A token request with the grant `authorization_code` but without a code is refused.',
    },
    'token.code.known': {
      probes: ['token-unknown-code'],
      sentence: 'A code that the server did not issue is refused.',
    },
    'token.code.error': {
      rfc: 'RFC 6749 5.2',
      level: 'should',
      probes: ['token-unknown-code'],
      sentence: 'The error for a code that the server did not issue is `invalid_grant`.',
    },
    'token.code.own': {
      rfc: 'RFC 6749 4.1.3',
      probes: ['token-code-of-other-app'],
      sentence: 'A code of another app is refused.',
    },
    'token.code.once': {
      rfc: 'RFC 6749 4.1.2',
      probes: ['token-reused-code'],
      sentence: 'A code that was exchanged is refused the second time.',
    },
    'token.redirect_uri.required': {
      probes: ['token-code-without-redirect'],
      sentence: 'A token request with a code but without `redirect_uri` is refused.',
    },
    'token.redirect_uri.same': {
      probes: ['token-other-redirect', 'token-redirect-prefix', 'token-redirect-query', 'token-redirect-folder'],
      sentence:
        'A code is refused if the redirect URI differs from that of the authorization request, even only in its end, its query or a folder.',
    },
    'token.scope.subset': {
      probes: ['token-scope-beyond'],
      sentence: 'A token request for a scope that the app did not register gives no token with that scope.',
    },
    'token.scope.read': {
      live: noAppToken,
      probes: ['token-scope-read'],
      sentence: 'A token request for the scope `read`, which the app has by default, gives a token with that scope.',
    },
    'token.authorization_code': {
      probes: ['token'],
      sentence: 'A JSON body with a code, its redirect URI and the client credentials gives a token.',
    },
    'token.client_credentials': {
      live: noAppToken,
      probes: ['app-token'],
      sentence: 'A JSON body with the grant `client_credentials` and the client credentials gives an app a token.',
    },
    'token.form': {
      rfc: 'RFC 6749 4.1.3',
      level: 'should',
      probes: ['token-empty', 'token-unknown-code', 'token-form'],
      sentence: 'The token endpoint also reads a form: it refuses an unknown code in a form as it does in JSON.',
    },
    'token.no-store': {
      rfc: 'RFC 6749 5.1',
      probes: ['token', 'app-token'],
      sentence: 'No cache may store a token: the answer has `Cache-Control: no-store`.',
    },
    'token.error.body': {
      rfc: 'RFC 6749 5.2',
      level: 'should',
      probes: ['token-empty', 'token-unknown-client'],
      sentence: 'A refusal of a token request is a JSON object with `error`.',
    },
  },
};

export const TOKEN_RULES = clausesOf<ServerClause>('server', sections);
