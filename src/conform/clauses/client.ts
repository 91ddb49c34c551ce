import { type ClientClause, clausesOf, type Section } from './clause.ts';

/** What the specification asks of clients. */
const sections: Section<ClientClause>[] = [
  {
    section: '2.2',
    rows: [
      {
        id: 'client.live.token',
        level: 'should',
        scenarios: ['happy', 'live-token'],
        sentence: 'A token record without `scope` and `created_at`, as on live servers, is accepted.',
      },
    ],
  },
  {
    section: '2.4',
    rows: [
      {
        id: 'client.live.video',
        level: 'should',
        scenarios: ['happy', 'live-video'],
        sentence: 'A video that is wrapped in `data`, as on live servers, is read.',
      },
      {
        id: 'client.live.author',
        level: 'should',
        scenarios: ['happy', 'gone-author'],
        sentence: 'A video whose `account` is an empty list, as on live servers when the author is gone, is read.',
      },
      {
        id: 'client.live.source',
        level: 'should',
        scenarios: ['happy', 'no-source'],
        sentence:
          'A video whose `src_url` is null, as on live servers during processing, is read, and nothing named `null` is requested.',
      },
    ],
  },
  {
    section: '4',
    rows: [
      {
        id: 'client.config.accept',
        level: 'should',
        scenarios: ['happy'],
        sentence: 'The request for the configuration has `Accept: application/json`.',
      },
      {
        id: 'client.json',
        level: 'must',
        scenarios: ['happy'],
        sentence:
          'A body that the client sends is JSON, with `Content-Type: application/json`; a revocation may be a form (RFC 7009).',
      },
      {
        id: 'client.video.id',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'A video is requested by its decimal id.',
      },
    ],
  },
  {
    section: '4.1',
    rows: [
      {
        id: 'client.authorize.response_type',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The authorization request has `response_type=code`.',
      },
      {
        id: 'client.authorize.client_id',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The authorization request has the `client_id` of the registered app.',
      },
      {
        id: 'client.authorize.redirect_uri',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The authorization request has a redirect URI that the app registered.',
      },
      {
        id: 'client.authorize.scope',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The requested scopes are a subset of those of the app.',
      },
      {
        id: 'client.state.sent',
        level: 'should',
        scenarios: ['happy', 'expired-code'],
        sentence: 'Each authorization request has a new `state`.',
      },
      {
        id: 'client.state.checked',
        level: 'must',
        scenarios: ['wrong-state', 'missing-state'],
        sentence: 'A code that returns with another `state`, or without it, is not exchanged.',
      },
      {
        id: 'client.iss.checked',
        rfc: 'RFC 9207 2.4',
        level: 'should',
        scenarios: ['wrong-issuer'],
        sentence: 'A code that returns with the `iss` of another server is not exchanged.',
      },
      {
        id: 'client.redirect.loopback',
        rfc: 'RFC 8252 8.3',
        level: 'should',
        scenarios: ['happy'],
        sentence:
          'A redirect URI on the machine of the user has the address 127.0.0.1 or [::1], not the name localhost.',
      },
      {
        id: 'client.denied',
        rfc: 'RFC 6749 4.1.2.1',
        level: 'must',
        scenarios: ['denied'],
        sentence: 'After a denial, the client requests no token.',
      },
    ],
  },
  {
    section: '4.2',
    rows: [
      {
        id: 'client.token.grant_type',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The token request has the grant type `authorization_code` or `client_credentials`.',
      },
      {
        id: 'client.token.credentials',
        level: 'must',
        scenarios: ['happy'],
        sentence:
          'The token request has the credentials of the app in its body; a client without a secret uses PKCE or the out-of-band redirect.',
      },
      {
        id: 'client.token.redirect_uri',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The token request has the redirect URI of the authorization request.',
      },
      {
        id: 'client.token.code',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The token request has the code that the redirect brought.',
      },
      {
        id: 'client.token.code.once',
        rfc: 'RFC 6749 4.1.2',
        level: 'must',
        scenarios: ['happy', 'expired-code'],
        sentence: 'A code is sent only once, even if it was refused.',
      },
    ],
  },
  {
    section: '4.3',
    rows: [
      {
        id: 'client.apps.fields',
        level: 'must',
        scenarios: ['happy'],
        sentence:
          'The registration has `client_name` and `redirect_uris` as strings; `scopes` and `website`, if present, are strings too.',
      },
      {
        id: 'client.apps.once',
        level: 'should',
        scenarios: ['happy'],
        sentence: 'The client registers once per server.',
      },
    ],
  },
  {
    section: '4.4',
    rows: [
      {
        id: 'client.identify.config-first',
        level: 'should',
        scenarios: ['happy'],
        sentence:
          'The first request of the client is `GET /api/v1/config`, which identifies the server and also returns its limits and capabilities.',
      },
      {
        id: 'client.identify.exact',
        level: 'must',
        scenarios: ['happy', 'other-software', 'longer-software', 'padded-software', 'missing-config', 'other-config'],
        sentence: 'The client accepts a server only if its software identifier is exactly `loops`.',
      },
      {
        id: 'client.identify.config-decides',
        level: 'must',
        scenarios: ['happy', 'contradiction'],
        sentence: 'A server whose configuration names another software is not used, whatever NodeInfo says.',
      },
      {
        id: 'client.identify.schema-2.0',
        level: 'must',
        scenarios: ['happy', 'nodeinfo-2.1-only', 'moved-href'],
        sentence: 'The client follows only the discovery link whose `rel` ends with `/schema/2.0`.',
      },
      {
        id: 'client.identify.href',
        level: 'must',
        scenarios: ['moved-href', 'missing-config', 'happy'],
        sentence:
          'The client requests the `href` exactly as given, and no other address of NodeInfo: it does not construct one.',
      },
      {
        id: 'client.identify.missing-fields',
        level: 'should',
        scenarios: ['happy', 'missing-fields', 'klipy'],
        sentence:
          'A configuration that lacks fields, or has `hasKlipy` in place of `hasGifProvider`, still identifies the server.',
      },
    ],
  },
  {
    section: '5',
    rows: [
      {
        id: 'client.registered-first',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The client registers an app before it sends the browser to the authorization endpoint.',
      },
      {
        id: 'client.token.header',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'A request with a token has it in the header `Authorization: Bearer`.',
      },
      {
        id: 'client.token.scope',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The account is requested with a token that has the scope `read`.',
      },
      {
        id: 'client.token.only-in-header',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The token is in no URL, and in a body only to revoke it.',
      },
      {
        id: 'client.token.revoked',
        level: 'should',
        scenarios: ['revoked-token'],
        sentence: 'A token that was refused with 401 is not sent again.',
      },
      {
        id: 'client.secret.kept',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The client secret is sent only to the token and revocation endpoints, and is in no URL.',
      },
      {
        id: 'client.pkce.verifier',
        rfc: 'RFC 7636 4.5',
        level: 'must',
        scenarios: ['happy'],
        sentence:
          'A client that sent a challenge sends its verifier with the code, and the verifier fits the challenge.',
      },
      {
        id: 'client.pkce.method',
        rfc: 'RFC 7636 4.2',
        level: 'should',
        scenarios: ['happy'],
        sentence: 'The challenge has the method `S256`.',
      },
      {
        id: 'client.pkce.fresh',
        rfc: 'RFC 7636 4.1',
        level: 'must',
        scenarios: ['happy', 'expired-code'],
        sentence: 'Each authorization request has a new challenge.',
      },
      {
        id: 'client.revoke',
        rfc: 'RFC 7009 2.1',
        level: 'must',
        scenarios: ['happy'],
        sentence: 'The revocation request has the `token` in its body.',
      },
    ],
  },
  {
    section: '8',
    rows: [
      {
        id: 'client.retry-after',
        rfc: 'RFC 9110 10.2.3',
        level: 'should',
        scenarios: ['rate-limited'],
        sentence: 'After a 429, the client waits for the time of `Retry-After`.',
      },
      {
        id: 'client.slow',
        level: 'may',
        scenarios: ['slow'],
        sentence: 'The client waits for a slow answer and does not repeat the request meanwhile.',
      },
    ],
  },
];

export const CLIENT_CLAUSES = clausesOf('client', sections);
