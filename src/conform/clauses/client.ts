import { bySection, type ClientClause, clausesOf, type Sections } from './clause.ts';

/** What the specification asks of clients. */
const sections: Sections<ClientClause> = {
  '2.2': {
    'client.live.token': {
      level: 'should',
      scenarios: ['happy', 'live-token'],
      sentence: 'A token record without `scope` and `created_at`, as on live servers, is accepted.',
    },
  },
  '2.4': {
    'client.live.video': {
      level: 'should',
      scenarios: ['happy', 'live-video'],
      sentence: 'A video that is wrapped in `data`, as on live servers, is read.',
    },
    'client.live.author': {
      level: 'should',
      scenarios: ['happy', 'gone-author'],
      sentence: 'A video whose `account` is an empty list, as on live servers when the author is gone, is read.',
    },
    'client.live.source': {
      level: 'should',
      scenarios: ['happy', 'no-source'],
      sentence:
        'A video whose `src_url` is null, as on live servers during processing, is read, and nothing named `null` is requested.',
    },
  },
  '4': {
    'client.config.accept': {
      level: 'should',
      scenarios: ['happy'],
      sentence: 'The request for the configuration has `Accept: application/json`.',
    },
    'client.json': {
      scenarios: ['happy'],
      sentence:
        'A body that the client sends is JSON, with `Content-Type: application/json`; a revocation may be a form (RFC 7009).',
      live: { difference: 'Live servers read forms too, as RFC 6749 has them for tokens.', inLive: 'warning' },
    },
    'client.video.id': { scenarios: ['happy'], sentence: 'A video is requested by its decimal id.' },
  },
  '4.1': {
    'client.authorize.response_type': {
      scenarios: ['happy'],
      sentence: 'The authorization request has `response_type=code`.',
    },
    'client.authorize.client_id': {
      scenarios: ['happy'],
      sentence: 'The authorization request has the `client_id` of the registered app.',
    },
    'client.authorize.redirect_uri': {
      scenarios: ['happy'],
      sentence: 'The authorization request has a redirect URI that the app registered.',
    },
    'client.authorize.scope': {
      scenarios: ['happy'],
      sentence: 'The requested scopes are a subset of those of the app.',
    },
    'client.state.sent': {
      level: 'should',
      scenarios: ['happy', 'expired-code'],
      sentence: 'Each authorization request has a new `state`.',
    },
    'client.state.checked': {
      scenarios: ['wrong-state', 'missing-state'],
      sentence: 'A code that returns with another `state`, or without it, is not exchanged.',
    },
    'client.iss.checked': {
      rfc: 'RFC 9207 2.4',
      level: 'should',
      scenarios: ['wrong-issuer'],
      sentence: 'A code that returns with the `iss` of another server is not exchanged.',
    },
    'client.redirect.loopback': {
      rfc: 'RFC 8252 8.3',
      level: 'should',
      scenarios: ['happy'],
      sentence: 'A redirect URI on the machine of the user has the address 127.0.0.1 or [::1], not the name localhost.',
    },
    'client.denied': {
      rfc: 'RFC 6749 4.1.2.1',
      scenarios: ['denied'],
      sentence: 'After a denial, the client requests no token.',
    },
  },
  '4.2': {
    'client.token.grant_type': {
      scenarios: ['happy'],
      sentence: 'The token request has the grant type `authorization_code` or `client_credentials`.',
    },
    'client.token.credentials': {
      scenarios: ['happy'],
      sentence:
        'The token request has the credentials of the app in its body; a client without a secret uses PKCE or the out-of-band redirect.',
    },
    'client.token.redirect_uri': {
      scenarios: ['happy'],
      sentence: 'The token request has the redirect URI of the authorization request.',
    },
    'client.token.code': {
      scenarios: ['happy'],
      sentence: 'The token request has the code that the redirect brought.',
    },
    'client.token.code.once': {
      rfc: 'RFC 6749 4.1.2',
      scenarios: ['happy', 'expired-code'],
      sentence: 'A code is sent only once, even if it was refused.',
    },
  },
  '4.3': {
    'client.apps.fields': {
      scenarios: ['happy'],
      sentence:
        'The registration has `client_name` and `redirect_uris` as strings; `scopes` and `website`, if present, are strings too. Live servers take `redirect_uris` only as a list of strings, which passes as well.',
    },
    'client.apps.once': { level: 'should', scenarios: ['happy'], sentence: 'The client registers once per server.' },
  },
  '4.4': {
    'client.identify.config-first': {
      level: 'should',
      scenarios: ['happy'],
      sentence:
        'The first request of the client is `GET /api/v1/config`, which identifies the server and also returns its limits and capabilities.',
    },
    'client.identify.exact': {
      scenarios: ['happy', 'other-software', 'longer-software', 'padded-software', 'missing-config', 'other-config'],
      sentence: 'The client accepts a server only if its software identifier is exactly `loops`.',
    },
    'client.identify.config-decides': {
      scenarios: ['happy', 'contradiction'],
      sentence: 'A server whose configuration names another software is not used, whatever NodeInfo says.',
    },
    'client.identify.schema-2.0': {
      scenarios: ['happy', 'nodeinfo-2.1-only', 'moved-href'],
      sentence: 'The client follows only the discovery link whose `rel` ends with `/schema/2.0`.',
    },
    'client.identify.href': {
      scenarios: ['moved-href', 'missing-config', 'happy'],
      sentence:
        'The client requests the `href` exactly as given, and no other address of NodeInfo: it does not construct one.',
    },
    'client.identify.missing-fields': {
      level: 'should',
      scenarios: ['happy', 'missing-fields', 'klipy'],
      sentence:
        'A configuration that lacks fields, or has `hasKlipy` in place of `hasGifProvider`, still identifies the server.',
    },
  },
  '5': {
    'client.registered-first': {
      scenarios: ['happy'],
      sentence: 'The client registers an app before it sends the browser to the authorization endpoint.',
    },
    'client.token.header': {
      scenarios: ['happy'],
      sentence: 'A request with a token has it in the header `Authorization: Bearer`.',
    },
    'client.token.scope': {
      scenarios: ['happy'],
      sentence: 'The account is requested with a token that has the scope `read`.',
    },
    'client.token.only-in-header': {
      scenarios: ['happy'],
      sentence: 'The token is in no URL, and in a body only to revoke it.',
    },
    'client.token.revoked': {
      level: 'should',
      scenarios: ['revoked-token'],
      sentence: 'A token that was refused with 401 is not sent again.',
    },
    'client.secret.kept': {
      scenarios: ['happy'],
      sentence: 'The client secret is sent only to the token and revocation endpoints, and is in no URL.',
    },
    'client.pkce.verifier': {
      rfc: 'RFC 7636 4.5',
      scenarios: ['happy'],
      sentence: 'A client that sent a challenge sends its verifier with the code, and the verifier fits the challenge.',
    },
    'client.pkce.method': {
      rfc: 'RFC 7636 4.2',
      level: 'should',
      scenarios: ['happy'],
      sentence: 'The challenge has the method `S256`.',
    },
    'client.pkce.fresh': {
      rfc: 'RFC 7636 4.1',
      scenarios: ['happy', 'expired-code'],
      sentence: 'Each authorization request has a new challenge.',
    },
    'client.revoke': {
      rfc: 'RFC 7009 2.1',
      scenarios: ['happy'],
      sentence: 'The revocation request has the `token` in its body.',
    },
  },
  '8': {
    'client.retry-after': {
      rfc: 'RFC 9110 10.2.3',
      level: 'should',
      scenarios: ['rate-limited'],
      sentence: 'After a 429, the client waits for the time of `Retry-After`.',
    },
    'client.slow': {
      level: 'may',
      scenarios: ['slow'],
      sentence: 'The client waits for a slow answer and does not repeat the request meanwhile.',
    },
  },
};

export const CLIENT_CLAUSES = clausesOf<ClientClause>('client', sections).sort(bySection);
