import { clausesOf, type Sections, type ServerClause } from './clause.ts';

const noRevocation = { difference: 'Live servers have no endpoint for revocation.', inLive: 'not shown' } as const;

const unknownScope = {
  difference: 'Apps of live servers register no scopes; a scope that does not exist is requested.',
  inLive: 'expected',
} as const;

/** The rules of OAuth, in sections 4.1, 4.3 and 5, and in the RFCs behind them. */
const sections: Sections<ServerClause> = {
  '4.1': {
    'authorize.client_id.required': {
      probes: ['authorize-without-client'],
      sentence: 'An authorization request without `client_id` is refused, without a redirect to its redirect URI.',
    },
    'authorize.client_id.known': {
      probes: ['authorize-unknown-client'],
      sentence: 'An authorization request of an unknown client is refused, without a redirect to its redirect URI.',
    },
    'authorize.redirect_uri.registered': {
      probes: [
        ...(['authorize-other-redirect', 'authorize-redirect-prefix', 'authorize-redirect-query'] as const),
        'authorize-redirect-folder',
      ],
      sentence:
        'If the app did not register the `redirect_uri` of the request, even if it differs only in its end, its query or a folder, the request is refused, and nothing is sent to that URI.',
    },
    'authorize.redirect_uri.used': {
      probes: ['authorize'],
      sentence: 'The server redirects to the `redirect_uri` of the request, and keeps the query of that URI.',
    },
    'authorize.redirect_uri.required': {
      probes: ['authorize-without-redirect'],
      live: { difference: 'Live servers take the only redirect URI of the app instead.', inLive: 'warning' },
      sentence: 'An authorization request without `redirect_uri` gives no code.',
    },
    'authorize.response_type.required': {
      probes: ['authorize-without-response-type'],
      sentence: 'An authorization request without `response_type` gives neither a code nor a token.',
    },
    'authorize.response_type.code': {
      probes: ['authorize-response-type'],
      sentence: 'A response type other than `code` gives neither a code nor a token.',
    },
    'authorize.response_type.error': {
      rfc: 'RFC 6749 4.1.2.1',
      level: 'should',
      probes: ['authorize-response-type'],
      sentence:
        'A response type other than `code` is reported to the client as `unsupported_response_type`, or shown to the user.',
    },
    'authorize.scope.subset': {
      probes: ['authorize-scope-beyond'],
      live: unknownScope,
      sentence: 'An authorization request for a scope that the app did not register gives no code.',
    },
    'authorize.scope.registered': {
      probes: ['authorize', 'authorize-for-token-with-wrong-secret'],
      live: { difference: 'Live servers have `user:read` in place of `read`.', inLive: 'expected' },
      sentence: 'An authorization request for the scope `read`, which the app has by default, gives a code.',
    },
    'authorize.scope.error': {
      rfc: 'RFC 6749 4.1.2.1',
      level: 'should',
      probes: ['authorize-scope-beyond'],
      live: unknownScope,
      sentence:
        'A scope that the app did not register is reported to the client as `invalid_scope`, or shown to the user.',
    },
    'authorize.state.echoed': {
      probes: ['authorize'],
      sentence: 'The redirect with the code has the `state` of the request, unchanged.',
    },
    'authorize.state.long': {
      probes: ['authorize', 'authorize-for-token-without-redirect'],
      sentence: 'A `state` of 500 characters returns unchanged too.',
    },
    'authorize.state.optional': {
      probes: ['authorize-without-state'],
      sentence: 'An authorization request needs no `state`; without one, the redirect has none either.',
    },
    'authorize.consent': {
      level: 'should',
      probes: ['authorize'],
      sentence: 'The user is asked before an app gets its first code.',
    },
    'authorize.denied': {
      rfc: 'RFC 6749 4.1.2.1',
      probes: ['authorize-denied'],
      sentence:
        'When the user is asked and denies the request, no code is given, and the redirect has `error=access_denied` and the `state` of the request.',
    },
    'authorize.iss': {
      rfc: 'RFC 9207 2',
      level: 'should',
      probes: ['authorize', 'metadata'],
      sentence: 'The redirect has `iss`, the issuer of the metadata, if the metadata promises it.',
    },
  },
  '4.3': {
    'apps.empty': { probes: ['apps-empty'], sentence: 'A registration without any field is refused.' },
    'apps.client_name.required': {
      probes: ['apps-without-name'],
      sentence: 'A registration without `client_name` is refused.',
    },
    'apps.redirect_uris.required': {
      probes: ['apps-without-redirect'],
      sentence: 'A registration without `redirect_uris` is refused.',
    },
    'apps.no-store': {
      rfc: 'RFC 6749 5.1',
      level: 'may',
      probes: ['apps'],
      sentence: 'No cache may store a client secret: the answer has `Cache-Control: no-store`.',
    },
  },
  '5': {
    'scope.default': {
      probes: ['app-token', 'token'],
      sentence: 'An app that registers without scopes has the scope `read`, and so have its tokens.',
    },
    'account.needs-user': {
      probes: ['account-app-token'],
      sentence: 'The token of an app has no user, so it gives no account.',
    },
    'revoke.token': {
      probes: ['revoke', 'account-revoked-token'],
      live: noRevocation,
      sentence: 'A revoked token no longer gives access to the account.',
    },
    'revoke.token.status': {
      rfc: 'RFC 7009 2.2',
      probes: ['revoke', 'revoke-app-token', 'revoke-rest'],
      live: noRevocation,
      sentence: 'A revocation is answered with 200.',
    },
    'revoke.unknown': {
      rfc: 'RFC 7009 2.2',
      probes: ['revoke-unknown-token'],
      live: noRevocation,
      sentence: 'The revocation of a token that does not exist is answered with 200.',
    },
    'revoke.own': {
      rfc: 'RFC 7009 2.1',
      probes: ['other-app-revoke', 'account-other-app-revoked'],
      live: noRevocation,
      sentence: 'An app cannot revoke the token of another app.',
    },
    'revoke.client': {
      rfc: 'RFC 7009 2.1',
      probes: ['revoke-wrong-secret'],
      live: noRevocation,
      sentence: 'A revocation with a wrong client secret is refused.',
    },
    'revoke.empty': {
      rfc: 'RFC 7009 2.1',
      level: 'should',
      probes: ['revoke-empty'],
      live: noRevocation,
      sentence: 'A revocation without a token and without a client is refused.',
    },
    'pkce.public': {
      level: 'should',
      probes: ['token-verifier', 'account-public-token'],
      sentence:
        'A client without a secret gets a token with PKCE: for a code that was requested with an S256 challenge, and the verifier of that challenge.',
    },
    'pkce.verifier': {
      rfc: 'RFC 7636 4.6',
      probes: ['metadata', 'token-without-verifier', 'token-wrong-verifier'],
      sentence:
        'If the server uses PKCE, it refuses a code that was requested with a challenge and is sent with a wrong verifier.',
    },
    'pkce.verifier.required': {
      rfc: 'RFC 7636 4.6',
      level: 'should',
      probes: ['metadata', 'token-wrong-verifier', 'token-without-verifier'],
      sentence:
        'If the server uses PKCE, it refuses a code that was requested with a challenge and is sent without a verifier.',
    },
    'pkce.verifier.error': {
      rfc: 'RFC 7636 4.6',
      level: 'should',
      probes: ['token-wrong-verifier'],
      sentence: 'The error for a wrong verifier is `invalid_grant`.',
    },
    'loopback.port': {
      rfc: 'RFC 8252 7.3',
      level: 'may',
      probes: ['authorize-other-port'],
      sentence: 'A redirect URI on a loopback address matches on any port, for native apps.',
    },
    'metadata.json': {
      rfc: 'RFC 8414 3.2',
      level: 'may',
      probes: ['metadata'],
      sentence: 'The server publishes OAuth metadata as a JSON object.',
    },
    'metadata.issuer': {
      rfc: 'RFC 8414 3.3',
      probes: ['metadata'],
      sentence: 'The issuer of the OAuth metadata is the URL of the server.',
    },
    'metadata.endpoints': {
      rfc: 'RFC 8414 2',
      probes: ['metadata'],
      sentence: 'The OAuth metadata names the endpoints of the specification.',
    },
    'metadata.response_types': {
      rfc: 'RFC 8414 2',
      probes: ['metadata'],
      sentence: 'The OAuth metadata lists the response type `code`.',
    },
    'metadata.scopes': {
      rfc: 'RFC 8414 2',
      level: 'should',
      probes: ['metadata'],
      sentence: 'The OAuth metadata lists the scopes `read`, `write` and `follow`, if it lists scopes.',
    },
    'metadata.challenge_methods': {
      rfc: 'RFC 8414 2',
      level: 'should',
      probes: ['metadata'],
      sentence: 'The OAuth metadata lists the PKCE method `S256`.',
    },
  },
};

export const OAUTH_RULES = clausesOf<ServerClause>('server', sections);
