import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { ClientCredentials, LiveTokenRecord, TokenRecord } from '../resources.ts';
import type { Profile } from '../state.ts';
import { html, json, jsonOrForm, oauthErrors, privateJson, redirect } from './responses.ts';

/** The query of `GET /oauth/authorize`, specification section 4.1, with the challenge of PKCE (RFC 7636 section 4.3). */
const AuthorizeParameters = z.object({
  response_type: z.literal('code').meta({ description: 'Must be `code`.' }),
  client_id: z.string().meta({ description: 'The `client_id` of the registered app.' }),
  redirect_uri: z
    .string()
    .meta({ description: 'Must be a redirect URI registered with the app; on 127.0.0.1 and [::1] with any port.' }),
  scope: z
    .string()
    .optional()
    .meta({ description: 'Space-separated scopes; in the profile `spec`, a subset of those of the app.' }),
  state: z.string().optional().meta({
    description: 'Opaque value echoed back in the redirect; the client verifies that it is unchanged.',
  }),
  code_challenge: z.string().optional().meta({
    description: 'SHA-256 of the `code_verifier` in base64url (RFC 7636).',
    pattern: '^[A-Za-z0-9_-]{43}$',
  }),
  code_challenge_method: z.literal('S256').optional().meta({ description: 'Required with `code_challenge`.' }),
});

/** The body of a form of the consent pages. */
const ConsentForm = z
  .object({
    token: z.string().meta({ description: 'Binds the form to this visitor and this request (CSRF).' }),
    action: z
      .enum(['sign-in', 'sign-out', 'approve', 'deny', 'return'])
      .meta({ description: 'The pressed button; `return` belongs to the page of a faulty request.' }),
    username: z.string().optional().meta({ description: 'With `sign-in`.' }),
    password: z.string().optional().meta({ description: 'With `sign-in`.' }),
  })
  .meta({ id: 'ConsentForm' });

const scope = z.string().optional().meta({ description: 'Space-separated scopes.' });

const AuthorizationCodeRequest = ClientCredentials.extend({
  grant_type: z.literal('authorization_code').meta({ description: 'For a user who approved.' }),
  redirect_uri: z.string().meta({ description: 'Same as used in the authorize step.' }),
  code: z.string().meta({ description: 'Authorization code received at the redirect URI.' }),
  code_verifier: z.string().optional().meta({
    description: 'The preimage of the `code_challenge` of the authorize step. Required if and only if there was one.',
  }),
  scope,
}).meta({ id: 'AuthorizationCodeRequest' });

/** The token request body, specification section 4.2, with the verifier of PKCE (RFC 7636 section 4.5). */
const TokenRequest = z
  .discriminatedUnion('grant_type', [
    AuthorizationCodeRequest,
    ClientCredentials.extend({
      grant_type: z.literal('client_credentials').meta({ description: 'For the app itself, without a user.' }),
      scope,
    }).meta({ id: 'ClientCredentialsRequest' }),
  ])
  .meta({ id: 'TokenRequest' });

/** The token request body of live servers. */
const LiveTokenRequest = z
  .discriminatedUnion('grant_type', [
    AuthorizationCodeRequest.omit({ scope: true }).meta({ id: 'LiveAuthorizationCodeRequest' }),
    ClientCredentials.extend({
      grant_type: z.literal('refresh_token').meta({ description: 'For the token that replaces an earlier one.' }),
      refresh_token: z.string().meta({ description: 'The refresh token of the earlier token.' }),
    }).meta({ id: 'RefreshTokenRequest' }),
  ])
  .meta({ id: 'LiveTokenRequest' });

/** The body of `POST /oauth/revoke`, as in RFC 7009 section 2.1; the specification does not show it. */
const RevocationRequest = ClientCredentials.extend({
  token: z.string().meta({ description: 'The token to revoke.' }),
  token_type_hint: z.string().optional().meta({ description: 'The type of the token; ignored.' }),
}).meta({ id: 'RevocationRequest' });

/** The answer of `GET /.well-known/oauth-authorization-server` (RFC 8414), which may have more keys. */
const AuthorizationServerMetadata = z
  .looseObject({
    issuer: z.string().meta({ description: 'Base URL of the server.' }),
    authorization_endpoint: z.string().meta({ description: 'The URL to open in the browser of a user.' }),
    token_endpoint: z.string().meta({ description: 'The URL that exchanges a code for a token.' }),
    revocation_endpoint: z.string().meta({ description: 'The URL that revokes a token.' }),
    scopes_supported: z.array(z.string()).meta({ description: '`read`, `write` and `follow`.' }),
    response_types_supported: z.array(z.string()).meta({ description: '`code`.' }),
    grant_types_supported: z.array(z.string()).meta({ description: '`authorization_code` and `client_credentials`.' }),
    code_challenge_methods_supported: z.array(z.string()).meta({ description: '`S256`.' }),
    authorization_response_iss_parameter_supported: z
      .literal(true)
      .meta({ description: 'Redirects to the app have `iss`, the issuer (RFC 9207).' }),
  })
  .meta({ id: 'AuthorizationServerMetadata' });

const tags = ['oauth'];
const requestParams = { query: AuthorizeParameters };
/** `{}`: the client authenticates in the body, which OpenAPI has no scheme for. */
const security: Record<string, string[]>[] = [{}, { basic: [] }];

/** The paths of OAuth. */
export function oauthPaths(profile: Profile): ZodOpenApiPathsObject {
  return profile === 'spec' ? { ...sharedPaths(profile), ...specPaths() } : sharedPaths(profile);
}

function sharedPaths(profile: Profile): ZodOpenApiPathsObject {
  const isLive = profile === 'live';
  return {
    '/oauth/authorize': {
      get: {
        operationId: 'authorize',
        tags,
        summary: 'The page where a user signs in and approves or denies the request of an app.',
        requestParams,
        responses: {
          '200': html('The sign-in page or the consent page.'),
          '303': redirect('With the option `autoApprove`: back to the app with `code` or `error`, `iss` and `state`.'),
          '400': html('The error of the request, with a button that returns it to the app if possible.'),
        },
      },
      post: {
        operationId: 'decide',
        tags,
        summary:
          'Receives the forms of the sign-in and consent pages. Not for clients: each form needs the token of its page.',
        requestParams,
        requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: ConsentForm } } },
        responses: {
          '200': html('For an out-of-band client: the page with the code, or the page of a denied request.'),
          '303': redirect(
            'Back to the app with `code` or `error`, `iss` and `state`; or to the page, after a sign-in or a sign-out.',
          ),
          '400': html('The app or the redirect URI is not registered: no redirect.'),
          '403': html('The form belongs to another visitor.'),
          '413': html('The body is too large.'),
          '415': html('The body is not a form.'),
          '422': html('The username or the password is wrong.'),
          '429': {
            ...html('Five sign-ins with this username from this address failed within a minute.'),
            headers: z.object({
              'Retry-After': z.int().meta({ description: 'Seconds until the next try is allowed.' }),
            }),
          },
        },
      },
    },
    '/oauth/token': {
      post: {
        operationId: 'getToken',
        tags,
        summary: isLive
          ? 'Exchanges an authorization code, or a refresh token, for a token.'
          : 'Exchanges an authorization code, or the credentials of an app, for a token.',
        security,
        requestBody: jsonOrForm(isLive ? LiveTokenRequest : TokenRequest),
        responses: {
          '200': privateJson('The token, which cannot be read again.', isLive ? LiveTokenRecord : TokenRecord),
          ...oauthErrors,
        },
      },
    },
  };
}

function specPaths(): ZodOpenApiPathsObject {
  return {
    '/oauth/revoke': {
      post: {
        operationId: 'revokeToken',
        tags,
        summary: 'Revokes a token (RFC 7009).',
        security,
        requestBody: jsonOrForm(RevocationRequest),
        responses: {
          '200': privateJson('The token is revoked, or was unknown.', z.strictObject({})),
          ...oauthErrors,
        },
      },
    },
    '/.well-known/oauth-authorization-server': {
      get: {
        operationId: 'getAuthorizationServerMetadata',
        tags,
        summary: 'The OAuth endpoints and their capabilities (RFC 8414).',
        responses: { '200': json('The metadata.', AuthorizationServerMetadata) },
      },
    },
  };
}
