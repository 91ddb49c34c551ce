import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { AuthorizationServerMetadata } from '../resources/authorization-server-metadata.ts';
import { AuthorizeParameters } from '../resources/authorize-parameters.ts';
import { ConsentForm } from '../resources/consent-form.ts';
import { RevocationRequest } from '../resources/revocation-request.ts';
import { TokenRecord } from '../resources/token-record.ts';
import { TokenRequest } from '../resources/token-request.ts';
import { html, json, oauthErrors, privateJson, redirect } from './responses.ts';

const tags = ['oauth'];
const requestParams = { query: AuthorizeParameters };
/** A client may name itself in the body, or by HTTP Basic. */
const security = [{}, { basic: [] }];

/** The paths of OAuth. */
export function oauthPaths(): ZodOpenApiPathsObject {
  return {
    '/oauth/authorize': {
      get: {
        operationId: 'authorize',
        tags,
        summary: 'The page where a user signs in and approves or denies what an app asks for.',
        requestParams,
        responses: {
          '200': html('The page to sign in on, or to approve or deny on.'),
          '400': html(
            'What is wrong with the request; where the app can be told, with a button that leads back to it.',
          ),
        },
      },
      post: {
        operationId: 'decide',
        tags,
        summary:
          'Where the forms of those pages go. Not for clients: each form carries a token that only its page knows.',
        requestParams,
        requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { schema: ConsentForm } } },
        responses: {
          '200': html('The code, for an out-of-band client, or that the request was denied.'),
          '303': redirect(
            'Back to the app with `code` or `error`, and `state`; or to the page, after a sign-in or a sign-out.',
          ),
          '400': html('The app or the redirect URI is not registered: nobody is sent anywhere.'),
          '403': html('The form is not one of this visitor.'),
          '413': html('The body is too large.'),
          '415': html('The body is not a form.'),
          '422': html('The username or the password is wrong.'),
        },
      },
    },
    '/oauth/token': {
      post: {
        operationId: 'getToken',
        tags,
        summary: 'Exchanges an authorization code, or the credentials of an app, for a token.',
        security,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: TokenRequest },
            'application/x-www-form-urlencoded': { schema: TokenRequest },
          },
        },
        responses: { '200': privateJson('The token, which is told this once.', TokenRecord), ...oauthErrors },
      },
    },
    '/oauth/revoke': {
      post: {
        operationId: 'revokeToken',
        tags,
        summary: 'Revokes a token (RFC 7009).',
        security,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: RevocationRequest },
            'application/x-www-form-urlencoded': { schema: RevocationRequest },
          },
        },
        responses: {
          '200': privateJson('The token holds no more; or there was none.', z.strictObject({})),
          ...oauthErrors,
        },
      },
    },
    '/.well-known/oauth-authorization-server': {
      get: {
        operationId: 'getAuthorizationServerMetadata',
        tags,
        summary: 'Where the endpoints of OAuth are, and what they know (RFC 8414).',
        responses: { '200': json('The metadata.', AuthorizationServerMetadata) },
      },
    },
  };
}
