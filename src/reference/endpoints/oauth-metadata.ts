import { challengeMethod } from '../oauth/pkce.ts';
import { scopesOf } from '../oauth/scopes.ts';
import { type Endpoint, onlyIn } from './endpoint.ts';
import { grantTypes } from './token.ts';

const clientAuthenticationMethods = ['client_secret_basic', 'client_secret_post', 'none'];

/** `GET /.well-known/oauth-authorization-server` (RFC 8414, RFC 9207). `app_registration_endpoint` is an extension of Mastodon. Live servers have none. */
export const oauthMetadataEndpoint: Endpoint = (app, stateOf) => {
  app.get('/.well-known/oauth-authorization-server', onlyIn('spec'), (request, reply) =>
    reply.send(oauthMetadata(stateOf(request).url)),
  );
};

/** @param url base URL without a trailing slash. */
function oauthMetadata(url: string): Record<string, unknown> {
  return {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    revocation_endpoint: `${url}/oauth/revoke`,
    app_registration_endpoint: `${url}/api/v1/apps`,
    scopes_supported: [...scopesOf.spec],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: Object.keys(grantTypes.spec),
    token_endpoint_auth_methods_supported: clientAuthenticationMethods,
    revocation_endpoint_auth_methods_supported: clientAuthenticationMethods,
    code_challenge_methods_supported: [challengeMethod],
    authorization_response_iss_parameter_supported: true,
  };
}
