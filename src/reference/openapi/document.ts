import { createDocument } from 'zod-openapi';
import { scopesOf } from '../oauth/scopes.ts';
import { scopeDescriptions } from '../pages/authorization-pages.ts';
import type { Profile } from '../state.ts';
import { apiPaths } from './api-paths.ts';
import { oauthPaths } from './oauth-paths.ts';
import { federationPaths, serverPaths } from './server-paths.ts';

export interface DocumentOptions {
  profile: Profile;
  /** Base URL of the server, without a trailing slash. */
  url: string;
}

/** The OpenAPI 3.1 document of every route, built from the schemas of the resources. */
export function openApiDocument({ profile, url }: DocumentOptions): Record<string, unknown> {
  // A copy, because the interface that createDocument returns does not fit a Record.
  const { ...document } = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Loops',
        version: '1',
        description:
          'The interface of Loops, a federated server for sharing short videos, as implemented by its reference server. ' +
          'HEAD works on every path with GET, and a CORS preflight gets 204; any other method gets 405 with `Allow`. ' +
          'On every path, bytes that are not HTTP get 400, a head over 16 KiB gets 431 and a slow request gets 408, ' +
          'each with `{"message"}`; a missing Host gets 400 and an unknown Expect gets 417, both without a body.',
      },
      servers: [{ url }],
      tags: [
        { name: 'server', description: 'The server itself.' },
        { name: 'apps', description: 'Registration of apps.' },
        { name: 'oauth', description: 'OAuth 2.0.' },
        { name: 'accounts', description: 'Accounts.' },
        { name: 'videos', description: 'Videos.' },
        { name: 'federation', description: 'Discovery of the actors by other servers.' },
        { name: 'media', description: 'Images.' },
      ],
      security: [],
      paths: { ...apiPaths(profile), ...oauthPaths(profile), ...serverPaths(), ...federationPaths() },
      components: { securitySchemes: securitySchemes(url, profile) },
    },
    { override: ({ jsonSchema }) => dropImpliedBounds(jsonSchema) },
  );
  return document;
}

function securitySchemes(url: string, profile: Profile) {
  const scopes = Object.fromEntries(scopesOf[profile].map((scope) => [scope, scopeDescriptions[scope]]));
  return {
    oauth2: {
      type: 'oauth2',
      flows: {
        authorizationCode: { authorizationUrl: `${url}/oauth/authorize`, tokenUrl: `${url}/oauth/token`, scopes },
        ...(profile === 'spec' ? { clientCredentials: { tokenUrl: `${url}/oauth/token`, scopes } } : {}),
      },
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'A token from any grant.' },
    basic: { type: 'http', scheme: 'basic', description: '`client_id` and `client_secret` (RFC 6749 section 2.3.1).' },
  } as const;
}

/** Drops the bounds of safe integers, which zod adds to every integer. */
function dropImpliedBounds(schema: { minimum?: unknown; maximum?: unknown }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
