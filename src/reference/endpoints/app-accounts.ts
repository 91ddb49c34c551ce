import type { FastifyReply } from 'fastify';
import type { StoredAccount } from '../data/accounts.ts';
import type { ReferenceState } from '../state.ts';
import { accountDocument } from './account-self.ts';
import { type Endpoint, onlyIn } from './endpoint.ts';
import { requireUser } from './require-user.ts';
import { recordNotFound } from './video.ts';

const defaultPreferences = {
  autoplay_videos: true,
  loop_videos: true,
  default_feed: 'local',
  hide_for_you_feed: false,
  mute_on_open: false,
  auto_expand_cw: false,
  appearance: 'light',
};

const base = '/api/v1/account';
type ById = { Params: { id: string } };

/** The endpoints of live servers for the user, and for other accounts. */
export const appAccountEndpoints: Endpoint = (app, stateOf) => {
  app.get('/api/v1/app/preferences', onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    const user = requireUser(request, reply, state);
    return user === null ? reply : reply.send(preferencesDocument(state, user));
  });

  app.post('/api/v1/app/preferences', onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    const user = requireUser(request, reply, state);
    if (user === null) return reply;
    const given = Object.entries(Object(request.body)).filter(([key]) => key in defaultPreferences);
    const { settings } = preferencesDocument(state, user).data;
    state.data.setSetting(`preferences-${user.id}`, JSON.stringify({ ...settings, ...Object.fromEntries(given) }));
    return reply.send(preferencesDocument(state, user));
  });

  app.get(`${base}/notifications/count`, onlyIn('live'), (request, reply) => {
    const user = requireUser(request, reply, stateOf(request));
    return user === null ? reply : reply.send({ data: { unread_count: 0 } });
  });

  app.get<ById>(`${base}/info/:id`, onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    const user = requireUser(request, reply, state);
    return user === null ? reply : sendAccount(reply, state, state.data.accounts.find(request.params.id), user);
  });

  app.get<{ Params: { name: string } }>(`${base}/username/:name`, onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    return sendAccount(reply, state, state.data.accounts.findByUsername(request.params.name), null);
  });

  app.get<ById>(`${base}/state/:id`, onlyIn('live'), (request, reply) => {
    const state = stateOf(request);
    const { data } = state;
    const user = requireUser(request, reply, state);
    if (user === null) return reply;
    const { id } = request.params;
    if (id === user.id) return reply.send({ data: { following: false, blocking: false } });
    if (data.accounts.find(id) === undefined) return reply.code(404).send(recordNotFound);
    const relation = {
      pending_follow_request: false,
      followed_by: data.interactions.follows(id, user.id),
      following: data.interactions.follows(user.id, id),
      blocking: false,
    };
    return reply.send({ data: relation });
  });

  for (const action of ['follow', 'unfollow'] as const) {
    app.post<ById>(`${base}/${action}/:id`, onlyIn('live'), (request, reply) => {
      const state = stateOf(request);
      const user = requireUser(request, reply, state);
      if (user === null) return reply;
      const { accounts, interactions, transaction } = state.data;
      const { id } = request.params;
      if (id === user.id) return reply.code(422).send({ message: `You cannot ${action} your own account` });
      transaction(() => {
        const followed = accounts.find(id);
        if (followed === undefined || !interactions[action](user.id, id)) return;
        const step = action === 'follow' ? 1 : -1;
        accounts.update(id, { follower_count: followed.follower_count + step });
        accounts.update(user.id, { following_count: user.following_count + step });
      });
      return sendAccount(reply, state, accounts.find(id), user);
    });
  }
};

function preferencesDocument({ data }: ReferenceState, { id, username }: StoredAccount) {
  const stored: object = JSON.parse(data.setting(`preferences-${id}`) ?? '{}');
  return { data: { account: { username, profile_id: id }, settings: { ...defaultPreferences, ...stored } } };
}

function sendAccount(
  reply: FastifyReply,
  state: ReferenceState,
  account: StoredAccount | undefined,
  viewer: StoredAccount | null,
): FastifyReply {
  if (account === undefined) return reply.code(404).send(recordNotFound);
  const document = accountDocument(account, state);
  const isOwner = viewer?.id === account.id;
  return reply.send({ data: { ...document, is_owner: isOwner, is_blocking: isOwner ? null : false } });
}
