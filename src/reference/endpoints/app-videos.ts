import type { FastifyRequest } from 'fastify';
import type { StoredAccount } from '../data/accounts.ts';
import type { StoredComment } from '../data/interactions.ts';
import type { StoredVideo } from '../data/videos.ts';
import { snowflake, timestamp } from '../seed/identifiers.ts';
import type { ReferenceState } from '../state.ts';
import { type Endpoint, onlyIn } from './endpoint.ts';
import { requireUser } from './require-user.ts';
import { authorDocument, liveVideoDocument, recordNotFound, viewerOf } from './video.ts';

type ById = { Params: { id: string } };

const feedPage = 5;
const listPage = 10;

/** The feeds, and what a user does with a video, on live servers. */
export const appVideoEndpoints: Endpoint = (app, stateOf) => {
  const feeds: Record<string, (video: StoredVideo, state: ReferenceState, user: StoredAccount) => boolean> = {
    'for-you': () => true,
    local: ({ is_local }) => is_local,
    following: ({ account_id }, { data }, { id }) => account_id === id || data.interactions.follows(id, account_id),
  };
  for (const [name, belongs] of Object.entries(feeds)) {
    app.get(`/api/v1/feed/${name}`, onlyIn('live'), (request, reply) => {
      const state = stateOf(request);
      const user = requireUser(request, reply, state);
      if (user === null) return reply;
      const videos = newestFirst(state).filter((video) => belongs(video, state, user));
      const documents = videos.map((video) => liveVideoDocument(video, state, user.id));
      return reply.send(cursorPage(request, state.url, documents, feedPage));
    });
  }

  app.get<ById>('/api/v1/feed/account/:id', onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    const { id } = request.params;
    if (state.data.accounts.find(id) === undefined) return reply.code(404).send(recordNotFound);
    const videos = newestFirst(state).filter(({ account_id }) => account_id === id);
    const documents = videos.map((video) => liveVideoDocument(video, state, viewerOf(request, state)));
    return reply.send(cursorPage(request, state.url, documents, listPage));
  });

  app.get<ById>('/api/v1/video/comments/:id', onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    const { id } = request.params;
    if (state.data.videos.find(id)?.permissions?.can_comment !== true) return reply.code(404).send(recordNotFound);
    const viewer = viewerOf(request, state);
    const comments = state.data.interactions.commentsOn(id).map((comment) => commentDocument(comment, state, viewer));
    return reply.send(cursorPage(request, state.url, comments, listPage));
  });

  app.post<ById>('/api/v1/video/comments/:id', onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    const user = requireUser(request, reply, state);
    if (user === null) return reply;
    const { data, now, random } = state;
    const video = data.videos.find(request.params.id);
    const { comment: caption } = Object(request.body) as { comment?: unknown };
    if (typeof caption !== 'string' || caption === '') {
      const message = 'The comment field is required.';
      return reply.code(422).send({ message, errors: { comment: [message] } });
    }
    if (video?.permissions?.can_comment !== true) {
      return reply.code(422).send({ message: 'Video not found or is unavailable or has comments disabled' });
    }
    const created_at = Math.floor(now());
    const comment = { video_id: video.id, account_id: user.id, caption, created_at };
    const stored = { ...comment, id: snowflake(created_at, random, data.interactions.commentsOn(video.id).length) };
    data.transaction(() => {
      data.interactions.addComment(stored);
      data.videos.update(video.id, { comments: video.comments + 1 });
    });
    return reply.send({ data: commentDocument(stored, state, user.id) });
  });

  const actions = [
    ['like', 'liked_by', 'likes', true],
    ['unlike', 'liked_by', 'likes', false],
    ['bookmark', 'bookmarked_by', 'bookmarks', true],
    ['unbookmark', 'bookmarked_by', 'bookmarks', false],
  ] as const;
  for (const [action, list, count, isWanted] of actions) {
    app.post<ById>(`/api/v1/video/${action}/:id`, onlyIn('live'), (request, reply) => {
      const state = stateOf(request);
      const user = requireUser(request, reply, state);
      if (user === null) return reply;
      const { videos, transaction } = state.data;
      const changed = transaction(() => {
        const video = videos.find(request.params.id);
        if (video === undefined || video[list].includes(user.id) === isWanted) return video;
        const others = video[list].filter((id) => id !== user.id);
        videos.update(video.id, {
          [list]: isWanted ? [...others, user.id] : others,
          [count]: video[count] + (isWanted ? 1 : -1),
        });
        return videos.find(video.id);
      });
      if (changed === undefined) return reply.code(404).send(recordNotFound);
      const document = liveVideoDocument(changed, state, user.id);
      // Live servers do not wrap the answer to a bookmark.
      return reply.send(count === 'bookmarks' ? document : { data: document });
    });
  }
};

function newestFirst({ data }: ReferenceState): StoredVideo[] {
  return data.videos.all().reverse();
}

function commentDocument(
  { id, video_id, account_id, caption, created_at }: StoredComment,
  state: ReferenceState,
  viewer: string | null,
) {
  const account = state.data.accounts.find(account_id);
  return {
    id,
    v_id: video_id,
    account: account === undefined ? [] : authorDocument(account, state),
    caption,
    replies: 0,
    children: [],
    tags: [],
    mentions: [],
    likes: 0,
    shares: 0,
    liked: false,
    url: null,
    media_count: 0,
    media: [],
    remote_url: null,
    tombstone: false,
    is_edited: false,
    is_hidden: false,
    is_owner: account_id === viewer,
    created_at: timestamp(created_at),
  };
}

/** A page of a list, newest first, with the keys of live servers. The cursor is the id next to the page. */
function cursorPage<T extends { id: string }>(
  request: FastifyRequest,
  baseUrl: string,
  items: readonly T[],
  perPage: number,
): { data: T[]; links: object; meta: object } {
  const path = baseUrl + (request.url.split('?', 1)[0] ?? '');
  const { cursor } = request.query as { cursor?: unknown };
  const { id, isNext } = readCursor(cursor);
  // Ids are decimal: the longer one is the larger.
  const isOlder = (item: T) => item.id.length < id.length || (item.id.length === id.length && item.id < id);
  const place = items.findIndex((item) => (isNext ? isOlder(item) : isOlder(item) || item.id === id));
  const end = place === -1 ? items.length : place;
  const start = id === '' ? 0 : isNext ? end : Math.max(0, end - perPage);
  const data = items.slice(start, isNext ? start + perPage : end);
  const next = start + data.length < items.length ? writeCursor(data.at(-1)?.id, true) : null;
  const prev = start > 0 ? writeCursor(data[0]?.id, false) : null;
  const link = (to: string | null) => (to === null ? null : `${path}?cursor=${to}`);
  return {
    data,
    links: { first: null, last: null, prev: link(prev), next: link(next) },
    meta: { path, per_page: perPage, next_cursor: next, prev_cursor: prev },
  };
}

function writeCursor(id: string | undefined, isNext: boolean): string | null {
  return id === undefined ? null : Buffer.from(JSON.stringify({ id, isNext })).toString('base64url');
}

/** An unreadable cursor counts as none. */
function readCursor(cursor: unknown): { id: string; isNext: boolean } {
  const none = { id: '', isNext: true };
  if (typeof cursor !== 'string') return none;
  try {
    const { id, isNext } = Object(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    return typeof id === 'string' && /^\d+$/.test(id) ? { id, isNext: isNext === true } : none;
  } catch {
    return none;
  }
}
