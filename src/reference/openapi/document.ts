import { createDocument } from 'zod-openapi';
import type { Profile } from '../state.ts';
import { apiPaths } from './api-paths.ts';
import { oauthPaths } from './oauth-paths.ts';
import { federationPaths, serverPaths } from './server-paths.ts';

/** What the document depends on. */
export interface DocumentOptions {
  profile: Profile;
  /** Base URL of the server, without a slash at its end. */
  url: string;
}

/** The OpenAPI 3.1 document of every route, made of the same schemas as the resources. */
export function openApiDocument({ profile, url }: DocumentOptions): Record<string, unknown> {
  const { ...document } = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Loops',
        version: '1',
        description:
          'The interface of Loops, a federated server for sharing short videos, as its reference server has it. ' +
          'Another method on one of these paths is answered 405 with `Allow`. HEAD is answered wherever GET is. ' +
          'What is no HTTP request is answered 400, one whose head is over 16 KiB 431 and one that does not come in time 408, ' +
          'with `{"message"}` on every path; one without Host is 400, and one with an unknown Expect 417, both without a body.',
      },
      servers: [{ url }],
      tags: [
        { name: 'server', description: 'Who the server is.' },
        { name: 'apps', description: 'Registration of apps.' },
        { name: 'oauth', description: 'OAuth 2.0.' },
        { name: 'accounts', description: 'Accounts.' },
        { name: 'videos', description: 'Videos.' },
        { name: 'federation', description: 'How other servers find the actors of this one.' },
        { name: 'media', description: 'Images.' },
      ],
      security: [],
      paths: { ...apiPaths(profile), ...oauthPaths(), ...serverPaths(), ...federationPaths() },
      components: { securitySchemes: securitySchemes(url) },
    },
    { override: ({ jsonSchema }) => dropImpliedBounds(jsonSchema) },
  );
  return document;
}

function securitySchemes(url: string) {
  const scopes = {
    read: 'Read what the account can see.',
    write: 'Post and change things for the account.',
    follow: 'Follow and unfollow for the account.',
  };
  return {
    oauth2: {
      type: 'oauth2',
      flows: {
        authorizationCode: { authorizationUrl: `${url}/oauth/authorize`, tokenUrl: `${url}/oauth/token`, scopes },
        clientCredentials: { tokenUrl: `${url}/oauth/token`, scopes },
      },
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'A token that was come by in any way.' },
    basic: { type: 'http', scheme: 'basic', description: '`client_id` and `client_secret` (RFC 6749 section 2.3.1).' },
  } as const;
}

/** zod states the bounds of safe integers, which say nothing to a reader. */
function dropImpliedBounds(schema: { minimum?: unknown; maximum?: unknown }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
