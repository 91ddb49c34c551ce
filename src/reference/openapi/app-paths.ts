import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { Account, Message, RecordNotFound, ValidationError, Video } from '../resources.ts';
import { json, jsonOrForm, rateLimited, refused, unreadableBody } from './responses.ts';

const LiveAuthor = Video.shape.account
  .extend({ display_name: z.string().meta({ description: 'Display name.' }) })
  .meta({ id: 'LiveVideoAuthor', description: 'Author summary.' });
const AuthorOrNone = z
  .union([LiveAuthor, z.array(z.never())])
  .meta({ description: 'The author; an empty list when the author is gone.' });

export const LiveAccount = Account.extend({
  accepts_dms: z.boolean().meta({ description: 'Whether it accepts direct messages.' }),
}).meta({ id: 'LiveAccount' });

/** The video of live servers, whose author may be gone. */
export const LiveVideo = Video.extend({ account: AuthorOrNone }).meta({ id: 'LiveVideo' });

const Comment = z
  .object({
    id: z.string().meta({ description: 'A snowflake, a decimal string.' }),
    v_id: z.string().meta({ description: 'Id of the video.' }),
    account: AuthorOrNone,
    caption: z.string().meta({ description: 'The text.' }),
    is_owner: z.boolean().meta({ description: 'Whether the requester wrote it.' }),
    created_at: z.string().meta({ description: 'ISO 8601 timestamp with offset.' }),
  })
  .catchall(z.unknown())
  .meta({ id: 'Comment' });

const Preferences = z
  .object({
    account: z.object({
      username: z.string().meta({ description: 'Handle.' }),
      profile_id: z.string().meta({ description: 'Account identifier.' }),
    }),
    settings: z.record(z.string(), z.unknown()).meta({ description: 'The settings of the app.' }),
  })
  .meta({ id: 'AppPreferences' });

const Relation = z
  .object({
    following: z.boolean().meta({ description: 'Whether the user follows the account.' }),
    blocking: z.boolean().meta({ description: 'Whether the user blocks the account.' }),
    followed_by: z.boolean().optional().meta({ description: 'Whether the account follows the user.' }),
    pending_follow_request: z.boolean().optional().meta({ description: 'Whether a request waits for approval.' }),
  })
  .meta({ id: 'AccountState' });

const PageContent = z
  .object(
    Object.fromEntries(
      ['title', 'content', 'slug', 'created_at', 'updated_at'].map((key) => [
        key,
        z.string().meta({ description: `The ${key} of the page.` }),
      ]),
    ),
  )
  .meta({ id: 'PageContent' });

const text = z.string().nullable();
const wrapped = (schema: z.ZodType) => z.object({ data: schema });
const pageOf = (schema: z.ZodType) =>
  z.object({
    data: z.array(schema),
    links: z.object(
      Object.fromEntries(['first', 'last', 'prev', 'next'].map((key) => [key, text.meta({ description: 'A URL.' })])),
    ),
    meta: z.object({
      path: z.string().meta({ description: 'The URL of the list.' }),
      per_page: z.int().meta({ description: 'The size of a page.' }),
      next_cursor: text.meta({ description: 'The `cursor` of the next page; null at the end.' }),
      prev_cursor: text.meta({ description: 'The `cursor` of the page before; null at the beginning.' }),
    }),
  });

const unauthenticated = { '401': refused('There is no token, or it is unknown, expired or revoked.') };
const unknown = { '404': json('There is no such record.', RecordNotFound) };

/** The paths that only live servers have, for apps after the sign-in. `security` is that of requests with a token. */
export function appPaths(security: { [scheme: string]: string[] }[]): ZodOpenApiPathsObject {
  type Options = { isPublic?: boolean; responses?: ZodOpenApiOperationObject['responses']; body?: z.ZodType };
  const operation = (operationId: string, summary: string, schema: z.ZodType, options: Options = {}) => ({
    operationId,
    tags: ['apps'],
    summary,
    security: options.isPublic === true ? [{}, ...security] : security,
    ...(options.body === undefined ? {} : { requestBody: jsonOrForm(options.body) }),
    responses: {
      '200': json('Done.', schema),
      ...(options.isPublic === true ? {} : unauthenticated),
      '429': rateLimited,
      ...options.responses,
    },
  });
  const get = (...parameters: Parameters<typeof operation>) => ({ get: operation(...parameters) });
  const post = (...parameters: Parameters<typeof operation>) => ({ post: operation(...parameters) });
  const query = z.object({ cursor: z.string().optional().meta({ description: 'From `meta` of another page.' }) });
  const account = wrapped(LiveAccount);
  const video = wrapped(LiveVideo);
  const paged = <T extends { get: ZodOpenApiOperationObject }>(item: T) => ({
    ...item,
    get: { ...item.get, requestParams: { query } },
  });
  return withPathParameters({
    '/api/v1/app/logout': post('logOut', 'Revokes every token of the user, those of other apps too.', Message),
    '/api/v1/app/preferences': {
      ...get('getPreferences', 'The settings of the app.', wrapped(Preferences)),
      ...post('setPreferences', 'Changes settings of the app.', wrapped(Preferences), {
        body: z.record(z.string(), z.unknown()),
        responses: unreadableBody,
      }),
    },
    '/api/v1/account/notifications/count': get(
      'countNotifications',
      'The number of unread notifications, always 0.',
      wrapped(z.object({ unread_count: z.int().meta({ description: 'Always 0.' }) })),
    ),
    '/api/v1/account/info/{id}': get('getAccount', 'An account.', account, { responses: unknown }),
    '/api/v1/account/username/{name}': get('getAccountByName', 'An account.', account, {
      isPublic: true,
      responses: unknown,
    }),
    '/api/v1/account/state/{id}': get('getAccountState', 'How the user relates to an account.', wrapped(Relation), {
      responses: unknown,
    }),
    ...Object.fromEntries(
      (['follow', 'unfollow'] as const).map((action) => [
        `/api/v1/account/${action}/{id}`,
        post(`${action}Account`, `Lets the user ${action} an account.`, account, {
          responses: { ...unknown, '422': json('It is the own account.', Message) },
        }),
      ]),
    ),
    ...Object.fromEntries(
      (['for-you', 'local', 'following'] as const).map((feed) => [
        `/api/v1/feed/${feed}`,
        paged(get(`getFeed_${feed.replace('-', '_')}`, `The feed ${feed}, newest first.`, pageOf(LiveVideo))),
      ]),
    ),
    '/api/v1/feed/account/{id}': paged(
      get('getAccountFeed', 'The videos of an account.', pageOf(LiveVideo), { isPublic: true, responses: unknown }),
    ),
    '/api/v1/video/comments/{id}': {
      ...paged(get('getComments', 'The comments on a video.', pageOf(Comment), { isPublic: true, responses: unknown })),
      ...post('addComment', 'Adds a comment.', wrapped(Comment), {
        body: z.object({ comment: z.string().meta({ description: 'The text.' }) }),
        responses: {
          ...unreadableBody,
          '422': json('The text is missing, or the video takes no comments.', z.union([ValidationError, Message])),
        },
      }),
    },
    ...Object.fromEntries(
      (['like', 'unlike', 'bookmark', 'unbookmark'] as const).map((action) => [
        `/api/v1/video/${action}/{id}`,
        post(`${action}Video`, `Lets the user ${action} a video.`, action.endsWith('like') ? video : LiveVideo, {
          responses: unknown,
        }),
      ]),
    ),
    '/api/v1/page/content': get('getPageContent', 'The text of a page.', wrapped(PageContent), {
      isPublic: true,
      responses: { ...unknown, '422': json('`slug` is missing.', ValidationError) },
    }),
    '/ping': {
      get: {
        operationId: 'ping',
        tags: ['server'],
        summary: 'Shows that the server runs.',
        responses: { '200': { description: '`pong!`', content: { 'text/plain': { schema: z.string() } } } },
      },
    },
  });
}

/** Adds the parameters that the paths name. */
function withPathParameters(paths: ZodOpenApiPathsObject): ZodOpenApiPathsObject {
  const descriptions: Record<string, string> = { id: 'Identifier, a decimal string.', name: 'Handle.' };
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      const parameters = names.map((name) => ({
        name,
        in: 'path' as const,
        required: true,
        description: descriptions[name] ?? '',
        schema: { type: 'string' as const },
      }));
      const operations = Object.entries(item).map(([method, operation]) => [method, { ...operation, parameters }]);
      return [path, Object.fromEntries(operations)];
    }),
  );
}
