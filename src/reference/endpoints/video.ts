import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { StoredAccount } from '../data/accounts.ts';
import type { StoredVideo } from '../data/videos.ts';
import { authenticate } from '../oauth/bearer.ts';
import type { RecordNotFound } from '../resources.ts';
import type { ReferenceState } from '../state.ts';
import { absoluteUrl, type Endpoint } from './endpoint.ts';

/** The error body of live servers for an unknown record. */
export const recordNotFound: RecordNotFound = { data: [], error: { code: 404, message: 'Record not found.' } };

/**
 * `GET /api/v1/video/{video_id}`, endpoint 6 of the specification. The token is optional: with the scope `read`, the answer
 * depends on the account of the token; an invalid token counts as none. In the profile `live`, the video is wrapped in `data`.
 */
export const videoEndpoint: Endpoint = (app, stateOf) => {
  app.get<{ Params: { video_id: string } }>('/api/v1/video/:video_id', (request, reply) => {
    const state = stateOf(request);
    const video = state.data.videos.find(request.params.video_id);
    const account = video === undefined ? undefined : state.data.accounts.find(video.account_id);
    const viewer = viewerOf(request, state);
    if (state.profile === 'live' && video !== undefined)
      return reply.send({ data: liveVideoDocument(video, state, viewer) });
    if (video === undefined || account === undefined) return reply.code(404).send(recordNotFound);
    return reply.send(videoDocument(video, account, state.url, viewer));
  });
};

/** The id of the requesting account; null without a valid token or a user. */
export function viewerOf(request: FastifyRequest, state: ReferenceState): string | null {
  if (request.headers.authorization === undefined) return null;
  return authenticate(request, state, 'read').token?.accountId ?? null;
}

/** The video resource of live servers. */
export function liveVideoDocument(
  video: StoredVideo,
  state: ReferenceState,
  viewer: string | null,
): Record<string, unknown> & { id: string } {
  const author = state.data.accounts.find(video.account_id);
  const { media, audio, ...document } = videoDocument(video, author ?? nobody, state.url, viewer);
  return {
    ...document,
    id: video.id,
    account: author === undefined ? [] : authorDocument(author, state),
    media: { ...Object(media), hls_url: null },
    comments: video.permissions?.can_comment === false ? 0 : video.comments,
    audio: { ...Object(audio), key: randomUUID() },
  };
}

/** The author of a video or a comment on live servers. */
export function authorDocument({ id, name, username, avatar }: StoredAccount, { url }: ReferenceState) {
  return { id, name, display_name: name, username, avatar: absoluteUrl(url, avatar) };
}

const nobody = { id: '', name: '', username: '', avatar: '' };

/** The video resource, specification section 2.4, as the account with the id `viewer` sees it; null: anonymous. */
export function videoDocument(
  { account_id, liked_by, bookmarked_by, ...video }: StoredVideo,
  author: Pick<StoredAccount, 'id' | 'name' | 'username' | 'avatar'>,
  baseUrl: string,
  viewer: string | null,
): Record<string, unknown> {
  const { id, media, mentions, ...rest } = video;
  return {
    id,
    account: {
      id: author.id,
      name: author.name,
      username: author.username,
      avatar: absoluteUrl(baseUrl, author.avatar),
    },
    ...rest,
    url: absoluteUrl(baseUrl, video.url),
    is_owner: viewer === account_id,
    media: absoluteMedia(media, baseUrl),
    has_liked: viewer !== null && liked_by.includes(viewer),
    has_bookmarked: viewer !== null && bookmarked_by.includes(viewer),
    mentions: Array.isArray(mentions) ? mentions.map((mention) => absoluteMention(mention, baseUrl)) : mentions,
  };
}

function absoluteMention(mention: StoredVideo['mentions'][number], baseUrl: string): unknown {
  if (typeof mention !== 'object' || mention === null) return mention;
  return { ...mention, url: absoluteUrl(baseUrl, mention.url) };
}

function absoluteMedia(media: StoredVideo['media'], baseUrl: string): unknown {
  if (typeof media !== 'object' || media === null) return media;
  const urls = ['thumbnail', 'src_url', 'hls_url'] as const;
  return {
    ...media,
    ...Object.fromEntries(urls.filter((key) => key in media).map((key) => [key, absoluteUrl(baseUrl, media[key])])),
  };
}
