import { expect, it } from 'vitest';
import { createReferenceServer } from '../../../src/reference/server.ts';

it('GET /.well-known/oauth-authorization-server names every OAuth endpoint and its capabilities (RFC 8414)', async () => {
  await using server = await createReferenceServer();
  const { url } = server;
  const response = await fetch(`${url}/.well-known/oauth-authorization-server`);
  expect(response.headers.get('content-type')).toContain('application/json');
  const authentication = ['client_secret_basic', 'client_secret_post', 'none'];
  expect(await response.json()).toEqual({
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    revocation_endpoint: `${url}/oauth/revoke`,
    app_registration_endpoint: `${url}/api/v1/apps`,
    scopes_supported: ['read', 'write', 'follow'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials'],
    token_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_methods_supported: authentication,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
});
