import { clausesOf, type Section, type ServerClause } from './clause.ts';

const noRevocation = { difference: 'Live servers have no endpoint for revocation.', inLive: 'not shown' } as const;

const unknownScope = {
  difference: 'Apps of live servers register no scopes; a scope that does not exist is requested.',
  inLive: 'expected',
} as const;

/** The rules of OAuth, in sections 4.1, 4.3 and 5, and in the RFCs behind them. */
const sections: Section<ServerClause>[] = [
  {
    section: '4.1',
    rows: [
      {
        id: 'authorize.client_id.required',
        level: 'must',
        probes: ['authorize-without-client'],
        sentence: 'An authorization request without `client_id` is refused, without a redirect to its redirect URI.',
      },
      {
        id: 'authorize.client_id.known',
        level: 'must',
        probes: ['authorize-unknown-client'],
        sentence: 'An authorization request of an unknown client is refused, without a redirect to its redirect URI.',
      },
      {
        id: 'authorize.redirect_uri.registered',
        level: 'must',
        probes: [
          ...(['authorize-other-redirect', 'authorize-redirect-prefix', 'authorize-redirect-query'] as const),
          'authorize-redirect-folder',
        ],
        sentence:
          'If the app did not register the `redirect_uri` of the request, even if it differs only in its end, its query or a folder, the request is refused, and nothing is sent to that URI.',
      },
      {
        id: 'authorize.redirect_uri.used',
        level: 'must',
        probes: ['authorize'],
        sentence: 'The server redirects to the `redirect_uri` of the request, and keeps the query of that URI.',
      },
      {
        id: 'authorize.redirect_uri.required',
        level: 'must',
        probes: ['authorize-without-redirect'],
        live: { difference: 'Live servers take the only redirect URI of the app instead.', inLive: 'warning' },
        sentence: 'An authorization request without `redirect_uri` gives no code.',
      },
      {
        id: 'authorize.response_type.required',
        level: 'must',
        probes: ['authorize-without-response-type'],
        sentence: 'An authorization request without `response_type` gives neither a code nor a token.',
      },
      {
        id: 'authorize.response_type.code',
        level: 'must',
        probes: ['authorize-response-type'],
        sentence: 'A response type other than `code` gives neither a code nor a token.',
      },
      {
        id: 'authorize.response_type.error',
        rfc: 'RFC 6749 4.1.2.1',
        level: 'should',
        probes: ['authorize-response-type'],
        sentence:
          'A response type other than `code` is reported to the client as `unsupported_response_type`, or shown to the user.',
      },
      {
        id: 'authorize.scope.subset',
        level: 'must',
        probes: ['authorize-scope-beyond'],
        live: unknownScope,
        sentence: 'An authorization request for a scope that the app did not register gives no code.',
      },
      {
        id: 'authorize.scope.registered',
        level: 'must',
        probes: ['authorize', 'authorize-for-token-with-wrong-secret'],
        live: { difference: 'Live servers have `user:read` in place of `read`.', inLive: 'expected' },
        sentence: 'An authorization request for the scope `read`, which the app has by default, gives a code.',
      },
      {
        id: 'authorize.scope.error',
        rfc: 'RFC 6749 4.1.2.1',
        level: 'should',
        probes: ['authorize-scope-beyond'],
        live: unknownScope,
        sentence:
          'A scope that the app did not register is reported to the client as `invalid_scope`, or shown to the user.',
      },
      {
        id: 'authorize.state.echoed',
        level: 'must',
        probes: ['authorize'],
        sentence: 'The redirect with the code has the `state` of the request, unchanged.',
      },
      {
        id: 'authorize.state.long',
        level: 'must',
        probes: ['authorize', 'authorize-for-token-without-redirect'],
        sentence: 'A `state` of 500 characters returns unchanged too.',
      },
      {
        id: 'authorize.state.optional',
        level: 'must',
        probes: ['authorize-without-state'],
        sentence: 'An authorization request needs no `state`; without one, the redirect has none either.',
      },
      {
        id: 'authorize.consent',
        level: 'should',
        probes: ['authorize'],
        sentence: 'The user is asked before an app gets its first code.',
      },
      {
        id: 'authorize.denied',
        rfc: 'RFC 6749 4.1.2.1',
        level: 'must',
        probes: ['authorize-denied'],
        sentence:
          'When the user is asked and denies the request, no code is given, and the redirect has `error=access_denied` and the `state` of the request.',
      },
      {
        id: 'authorize.iss',
        rfc: 'RFC 9207 2',
        level: 'should',
        probes: ['authorize', 'metadata'],
        sentence: 'The redirect has `iss`, the issuer of the metadata, if the metadata promises it.',
      },
    ],
  },
  {
    section: '4.3',
    rows: [
      {
        id: 'apps.empty',
        level: 'must',
        probes: ['apps-empty'],
        sentence: 'A registration without any field is refused.',
      },
      {
        id: 'apps.client_name.required',
        level: 'must',
        probes: ['apps-without-name'],
        sentence: 'A registration without `client_name` is refused.',
      },
      {
        id: 'apps.redirect_uris.required',
        level: 'must',
        probes: ['apps-without-redirect'],
        sentence: 'A registration without `redirect_uris` is refused.',
      },
      {
        id: 'apps.no-store',
        rfc: 'RFC 6749 5.1',
        level: 'may',
        probes: ['apps'],
        sentence: 'No cache may store a client secret: the answer has `Cache-Control: no-store`.',
      },
    ],
  },
  {
    section: '5',
    rows: [
      {
        id: 'scope.default',
        level: 'must',
        probes: ['app-token', 'token'],
        sentence: 'An app that registers without scopes has the scope `read`, and so have its tokens.',
      },
      {
        id: 'account.needs-user',
        level: 'must',
        probes: ['account-app-token'],
        sentence: 'The token of an app has no user, so it gives no account.',
      },
      {
        id: 'revoke.token',
        level: 'must',
        probes: ['revoke', 'account-revoked-token'],
        live: noRevocation,
        sentence: 'A revoked token no longer gives access to the account.',
      },
      {
        id: 'revoke.token.status',
        rfc: 'RFC 7009 2.2',
        level: 'must',
        probes: ['revoke', 'revoke-app-token', 'revoke-rest'],
        live: noRevocation,
        sentence: 'A revocation is answered with 200.',
      },
      {
        id: 'revoke.unknown',
        rfc: 'RFC 7009 2.2',
        level: 'must',
        probes: ['revoke-unknown-token'],
        live: noRevocation,
        sentence: 'The revocation of a token that does not exist is answered with 200.',
      },
      {
        id: 'revoke.own',
        rfc: 'RFC 7009 2.1',
        level: 'must',
        probes: ['other-app-revoke', 'account-other-app-revoked'],
        live: noRevocation,
        sentence: 'An app cannot revoke the token of another app.',
      },
      {
        id: 'revoke.client',
        rfc: 'RFC 7009 2.1',
        level: 'must',
        probes: ['revoke-wrong-secret'],
        live: noRevocation,
        sentence: 'A revocation with a wrong client secret is refused.',
      },
      {
        id: 'revoke.empty',
        rfc: 'RFC 7009 2.1',
        level: 'should',
        probes: ['revoke-empty'],
        live: noRevocation,
        sentence: 'A revocation without a token and without a client is refused.',
      },
      {
        id: 'pkce.public',
        level: 'should',
        probes: ['token-verifier', 'account-public-token'],
        sentence:
          'A client without a secret gets a token with PKCE: for a code that was requested with an S256 challenge, and the verifier of that challenge.',
      },
      {
        id: 'pkce.verifier',
        rfc: 'RFC 7636 4.6',
        level: 'must',
        probes: ['metadata', 'token-without-verifier', 'token-wrong-verifier'],
        sentence:
          'If the server uses PKCE, it refuses a code that was requested with a challenge and is sent with a wrong verifier.',
      },
      {
        id: 'pkce.verifier.required',
        rfc: 'RFC 7636 4.6',
        level: 'should',
        probes: ['metadata', 'token-wrong-verifier', 'token-without-verifier'],
        sentence:
          'If the server uses PKCE, it refuses a code that was requested with a challenge and is sent without a verifier.',
      },
      {
        id: 'pkce.verifier.error',
        rfc: 'RFC 7636 4.6',
        level: 'should',
        probes: ['token-wrong-verifier'],
        sentence: 'The error for a wrong verifier is `invalid_grant`.',
      },
      {
        id: 'loopback.port',
        rfc: 'RFC 8252 7.3',
        level: 'may',
        probes: ['authorize-other-port'],
        sentence: 'A redirect URI on a loopback address matches on any port, for native apps.',
      },
      {
        id: 'metadata.json',
        rfc: 'RFC 8414 3.2',
        level: 'may',
        probes: ['metadata'],
        sentence: 'The server publishes OAuth metadata as a JSON object.',
      },
      {
        id: 'metadata.issuer',
        rfc: 'RFC 8414 3.3',
        level: 'must',
        probes: ['metadata'],
        sentence: 'The issuer of the OAuth metadata is the URL of the server.',
      },
      {
        id: 'metadata.endpoints',
        rfc: 'RFC 8414 2',
        level: 'must',
        probes: ['metadata'],
        sentence: 'The OAuth metadata names the endpoints of the specification.',
      },
      {
        id: 'metadata.response_types',
        rfc: 'RFC 8414 2',
        level: 'must',
        probes: ['metadata'],
        sentence: 'The OAuth metadata lists the response type `code`.',
      },
      {
        id: 'metadata.scopes',
        rfc: 'RFC 8414 2',
        level: 'should',
        probes: ['metadata'],
        sentence: 'The OAuth metadata lists the scopes `read`, `write` and `follow`, if it lists scopes.',
      },
      {
        id: 'metadata.challenge_methods',
        rfc: 'RFC 8414 2',
        level: 'should',
        probes: ['metadata'],
        sentence: 'The OAuth metadata lists the PKCE method `S256`.',
      },
    ],
  },
];

export const OAUTH_RULES = clausesOf('server', sections);
