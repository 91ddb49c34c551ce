import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import {
  Account,
  AppRecord,
  LiveAppRecord,
  RecordNotFound,
  ServerConfig,
  ValidationError,
  Video,
} from '../resources.ts';
import type { Profile } from '../state.ts';
import { appPaths, LiveAccount, LiveVideo } from './app-paths.ts';
import { json, jsonOrForm, rateLimited, refused, unreadableBody } from './responses.ts';

/** The answer of `GET /api/v1/account/info/self`, specification section 4, endpoint 5. */
const AccountResponse = z.object({ data: Account }).meta({ id: 'AccountResponse' });

/** The answer of live servers with a video. */
const VideoResponse = z.object({ data: LiveVideo }).meta({ id: 'VideoResponse' });

/** The answer of live servers with the own account. */
const LiveAccountResponse = z.object({ data: LiveAccount }).meta({ id: 'LiveAccountResponse' });

/** The app registration request body, specification section 4.3. */
const AppRegistration = z
  .object({
    client_name: z.string().meta({ description: 'Display name of the application.' }),
    redirect_uris: z.union([z.string(), z.array(z.string())]).meta({
      description:
        'Redirect URIs after authorization: one, several separated by line breaks, or a list. `urn:ietf:wg:oauth:2.0:oob` for out-of-band clients.',
    }),
    scopes: z.string().optional().meta({ description: 'Space-separated OAuth scopes.', default: 'read' }),
    website: z.string().optional().meta({ description: 'Application homepage URL.' }),
  })
  .meta({ id: 'AppRegistration' });

/** The app registration request body of live servers. */
const LiveAppRegistration = AppRegistration.omit({ scopes: true, website: true })
  .extend({ redirect_uris: z.array(z.string()).meta({ description: 'Redirect URIs after authorization.' }) })
  .meta({ id: 'LiveAppRegistration' });

/** The server configuration of live servers, whose key names the brand of the GIF provider. */
const LiveServerConfig = ServerConfig.omit({ hasGifProvider: true })
  .extend({ hasKlipy: z.boolean().meta({ description: 'Third-party GIF integration enabled.' }) })
  .meta({ id: 'LiveServerConfig' });

/** The paths under `/api/`. */
export function apiPaths(profile: Profile): ZodOpenApiPathsObject {
  const isLive = profile === 'live';
  const security: { [scheme: string]: string[] }[] = [{ oauth2: isLive ? [] : ['read'] }, { bearer: [] }];
  return {
    '/api/v1/apps': {
      post: {
        operationId: 'registerApp',
        tags: ['apps'],
        summary: 'Registers an app, once for each instance.',
        requestBody: jsonOrForm(isLive ? LiveAppRegistration : AppRegistration),
        responses: {
          '200': json('The app with its secret, which cannot be read again.', isLive ? LiveAppRecord : AppRecord),
          ...unreadableBody,
          '422': json('A field is invalid.', ValidationError),
          '429': rateLimited,
        },
      },
    },
    '/api/v1/account/info/self': {
      get: {
        operationId: 'getOwnAccount',
        tags: ['accounts'],
        summary: 'The account of the token.',
        security,
        responses: {
          '200': json('The account.', isLive ? LiveAccountResponse : AccountResponse),
          '400': refused('The Authorization header is malformed.'),
          '401': refused('There is no token, or it is unknown, expired or revoked.'),
          '403': refused(
            isLive ? 'The token has no user.' : 'The token does not have the scope `read`, or has no user.',
          ),
          '429': rateLimited,
        },
      },
    },
    '/api/v1/video/{video_id}': {
      get: {
        operationId: 'getVideo',
        tags: ['videos'],
        summary: 'A video; with a token, as the account of the token sees it.',
        security: [{}, ...security],
        requestParams: {
          path: z.object({
            video_id: z.string().meta({ description: 'Snowflake identifier of the video, a decimal string.' }),
          }),
        },
        responses: {
          '200': json('The video.', isLive ? VideoResponse : Video),
          '404': json('There is no such video.', RecordNotFound),
          '429': rateLimited,
        },
      },
    },
    '/api/v1/config': {
      get: {
        operationId: 'getConfig',
        tags: ['server'],
        summary: 'Identity, limits and capabilities of the server.',
        responses: {
          '200': json('The configuration.', isLive ? LiveServerConfig : ServerConfig),
          '429': rateLimited,
        },
      },
    },
    ...(isLive ? appPaths(security) : {}),
  };
}
