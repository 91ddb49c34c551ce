import { clausesOf, type Section, type ServerClause } from './clause.ts';

/** The rules of the token endpoint. */
const sections: Section<ServerClause>[] = [
  {
    section: '4.2',
    rows: [
      {
        id: 'token.grant_type.required',
        level: 'must',
        probes: ['token-without-grant'],
        sentence: 'A token request without `grant_type` is refused.',
      },
      {
        id: 'token.grant_type.known',
        level: 'must',
        probes: ['token-unknown-grant'],
        sentence: 'A token request with an unknown grant type is refused.',
      },
      {
        id: 'token.grant_type.error',
        rfc: 'RFC 6749 5.2',
        level: 'should',
        probes: ['token-unknown-grant'],
        sentence: 'The error for an unknown grant type is `unsupported_grant_type`.',
      },
      {
        id: 'token.empty',
        level: 'must',
        probes: ['token-empty'],
        sentence: 'A token request without any field is refused.',
      },
      {
        id: 'token.client_id.required',
        level: 'must',
        probes: ['token-without-client'],
        sentence: 'A token request without `client_id` is refused.',
      },
      {
        id: 'token.client_id.known',
        level: 'must',
        probes: ['token-unknown-client'],
        sentence: 'A token request of an unknown client is refused.',
      },
      {
        id: 'token.client_id.error',
        rfc: 'RFC 6749 5.2',
        level: 'should',
        probes: ['token-unknown-client'],
        sentence: 'The error for an unknown client is `invalid_client`, with 400 or 401.',
      },
      {
        id: 'token.client_secret.right',
        level: 'must',
        probes: ['token-wrong-secret'],
        sentence: 'A token request with the grant `client_credentials` and a wrong client secret is refused.',
      },
      {
        id: 'token.client_secret.app',
        level: 'must',
        probes: ['token-without-secret'],
        sentence: 'A token request with the grant `client_credentials` and without a client secret is refused.',
      },
      {
        id: 'token.client_secret.with-code',
        level: 'must',
        probes: ['token-code-wrong-secret'],
        sentence: 'A token request with a code and a wrong client secret is refused.',
      },
      {
        id: 'token.client_secret.required',
        level: 'must',
        probes: ['token-code-without-secret'],
        sentence:
          'A token request with a code but without `client_secret` is refused, unless the code was requested with PKCE.',
      },
      {
        id: 'token.client_secret.error',
        rfc: 'RFC 6749 5.2',
        level: 'should',
        probes: ['token-wrong-secret'],
        sentence: 'The error for a wrong client secret is `invalid_client`, with 400 or 401.',
      },
      {
        id: 'token.code.required',
        level: 'must',
        probes: ['token-without-code'],
        sentence: 'A token request with the grant `authorization_code` but without a code is refused.',
      },
      {
        id: 'token.code.known',
        level: 'must',
        probes: ['token-unknown-code'],
        sentence: 'A code that the server did not issue is refused.',
      },
      {
        id: 'token.code.error',
        rfc: 'RFC 6749 5.2',
        level: 'should',
        probes: ['token-unknown-code'],
        sentence: 'The error for a code that the server did not issue is `invalid_grant`.',
      },
      {
        id: 'token.code.own',
        rfc: 'RFC 6749 4.1.3',
        level: 'must',
        probes: ['token-code-of-other-app'],
        sentence: 'A code of another app is refused.',
      },
      {
        id: 'token.code.once',
        rfc: 'RFC 6749 4.1.2',
        level: 'must',
        probes: ['token-reused-code'],
        sentence: 'A code that was exchanged is refused the second time.',
      },
      {
        id: 'token.redirect_uri.required',
        level: 'must',
        probes: ['token-code-without-redirect'],
        sentence: 'A token request with a code but without `redirect_uri` is refused.',
      },
      {
        id: 'token.redirect_uri.same',
        level: 'must',
        probes: ['token-other-redirect', 'token-redirect-prefix', 'token-redirect-query', 'token-redirect-folder'],
        sentence:
          'A code is refused if the redirect URI differs from that of the authorization request, even only in its end, its query or a folder.',
      },
      {
        id: 'token.scope.subset',
        level: 'must',
        probes: ['token-scope-beyond'],
        sentence: 'A token request for a scope that the app did not register gives no token with that scope.',
      },
      {
        id: 'token.scope.read',
        live: { difference: 'Live servers give a registered app no token of its own.', inLive: 'not shown' },
        level: 'must',
        probes: ['token-scope-read'],
        sentence: 'A token request for the scope `read`, which the app has by default, gives a token with that scope.',
      },
      {
        id: 'token.authorization_code',
        level: 'must',
        probes: ['token'],
        sentence: 'A JSON body with a code, its redirect URI and the client credentials gives a token.',
      },
      {
        id: 'token.client_credentials',
        live: { difference: 'Live servers give a registered app no token of its own.', inLive: 'not shown' },
        level: 'must',
        probes: ['app-token'],
        sentence: 'A JSON body with the grant `client_credentials` and the client credentials gives an app a token.',
      },
      {
        id: 'token.form',
        rfc: 'RFC 6749 4.1.3',
        level: 'should',
        probes: ['token-empty', 'token-unknown-code', 'token-form'],
        sentence: 'The token endpoint also reads a form: it refuses an unknown code in a form as it does in JSON.',
      },
      {
        id: 'token.no-store',
        rfc: 'RFC 6749 5.1',
        level: 'must',
        probes: ['token', 'app-token'],
        sentence: 'No cache may store a token: the answer has `Cache-Control: no-store`.',
      },
      {
        id: 'token.error.body',
        rfc: 'RFC 6749 5.2',
        level: 'should',
        probes: ['token-empty', 'token-unknown-client'],
        sentence: 'A refusal of a token request is a JSON object with `error`.',
      },
    ],
  },
];

export const TOKEN_RULES = clausesOf('server', sections);
