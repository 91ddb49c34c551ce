import { videoDocument } from '../../reference/endpoints/video.ts';
import {
  type FaultRule,
  giveToken,
  type OnExchange,
  type ReferenceState,
  type StateOptions,
} from '../../reference/index.ts';

/** A behaviour of the reference server that shows whether a client follows the specification. */
export interface Scenario {
  name: string;
  /** What the server does. */
  server: string;
  /** What to do with the client. */
  task: string;
  options?: StateOptions;
  /** Changes the running server. The returned function is called with each exchange, before the answer is sent. */
  prepare?: Prepare;
}

type Prepare = (state: ReferenceState) => OnExchange | undefined;

const RETRY_AFTER_SECONDS = 2;
/** Delay of the slow answers in the scenario `slow`, in milliseconds. */
export const SLOW_MS = 2_000;

const SCHEMA = 'http://nodeinfo.diaspora.software/ns/schema';
const CONNECT = 'Connect the client to the server, show the account and a video, and sign out.';
const DO_NOT_USE = 'Connect the client to the server; it must refuse to use the server.';

const NO_CONFIG: FaultRule = {
  route: '/api/v1/config',
  fault: 'status',
  status: 404,
  body: '{"message":"Not Found."}',
};

const BY_NAME: Readonly<Record<string, Omit<Scenario, 'name'>>> = {
  happy: { server: 'Answers as specified.', task: CONNECT },
  denied: {
    server: 'Sends the browser back with `error=access_denied`.',
    task: 'Connect the client to the server; it must report the denial.',
    prepare: changeRedirect({ set: { error: 'access_denied' }, remove: ['code'] }),
  },
  'wrong-state': {
    server: 'Sends the browser back with a code and another `state`.',
    task: 'Connect the client to the server; it must reject the code.',
    prepare: changeRedirect({ set: { state: 'state-of-another-request' } }),
  },
  'missing-state': {
    server: 'Sends the browser back with a code and without `state`.',
    task: 'Connect the client to the server; it must reject the code.',
    prepare: changeRedirect({ set: {}, remove: ['state'] }),
  },
  'wrong-issuer': {
    server: 'Sends the browser back with a code and the `iss` of another server.',
    task: 'Connect the client to the server; it must reject the code.',
    prepare: changeRedirect({ set: { iss: 'https://other.example' } }),
  },
  'expired-code': {
    server: 'Codes expire at once until the first one has been refused.',
    task: CONNECT,
    prepare: (state) => {
      const { code } = state.lifetimes;
      state.lifetimes.code = 0;
      return ({ target }) => {
        if (target.startsWith('/oauth/token')) state.lifetimes.code = code;
      };
    },
  },
  'revoked-token': {
    server: 'Revokes the first token that it gives to a user.',
    task: CONNECT,
    prepare: revokeFirstToken,
  },
  slow: {
    server: `Answers the configuration, registrations and token requests after ${SLOW_MS / 1_000} seconds.`,
    task: CONNECT,
    options: {
      faults: ['/api/v1/config', '/api/v1/apps', '/oauth/token'].map((route) => ({
        route,
        fault: 'delay',
        ms: SLOW_MS,
      })),
    },
  },
  'rate-limited': {
    server: `Refuses the first request for the configuration, NodeInfo, an app, a token and the account with 429 and \`Retry-After: ${RETRY_AFTER_SECONDS}\`.`,
    task: CONNECT,
    options: {
      faults: [
        ...['/api/v1/config', '/.well-known/nodeinfo', '/nodeinfo/2.0', '/api/v1/apps', '/oauth/token'],
        '/api/v1/account/info/self',
      ].map((route) => ({ route, fault: 'rate-limited', times: 1, retryAfter: RETRY_AFTER_SECONDS })),
    },
  },
  klipy: {
    server:
      'The configuration has `hasKlipy` in place of `hasGifProvider`, as on live servers; NodeInfo also has a 2.1 link.',
    task: CONNECT,
    prepare: (state) => {
      state.missingConfigKeys = ['hasGifProvider'];
      Object.assign(state.config, { hasKlipy: false });
      state.faults = [
        discovery([link('2.0', `${state.url}/nodeinfo/2.0`), link('2.1', `${state.url}/nodeinfo/2.1`)]),
        jsonAnswer('/nodeinfo/2.1', nodeInfo(state, '2.1')),
      ];
      return undefined;
    },
  },
  'missing-fields': {
    server: 'The configuration lacks fields, as on older servers.',
    task: CONNECT,
    options: {
      missingConfigKeys: ['registration_mode', 'pushNotifications', 'atomFeeds', 'hasGifProvider', 'account'],
    },
  },
  'other-software': {
    server: 'Configuration and NodeInfo name the software `Loops`.',
    task: DO_NOT_USE,
    options: { config: { app: { software: 'Loops' } } },
  },
  'longer-software': {
    server: 'Configuration and NodeInfo name the software `loopsy`.',
    task: DO_NOT_USE,
    options: { config: { app: { software: 'loopsy' } } },
  },
  'padded-software': {
    server: 'Configuration and NodeInfo name the software `loops` with a space after it.',
    task: DO_NOT_USE,
    options: { config: { app: { software: 'loops ' } } },
  },
  'missing-config': {
    server: 'Has no configuration, and NodeInfo names the software `loopsy`.',
    task: DO_NOT_USE,
    options: { faults: [NO_CONFIG], nodeInfo: { software: { name: 'loopsy' } } },
  },
  'other-config': {
    server: 'The configuration names no software, as on PeerTube, and NodeInfo names the software `peertube`.',
    task: DO_NOT_USE,
    options: {
      faults: [jsonAnswer('/api/v1/config', { instance: { name: 'PeerTube' }, serverVersion: '7.3.0' })],
      nodeInfo: { software: { name: 'peertube' } },
    },
  },
  contradiction: {
    server: 'The configuration names the software `loopsy`, and NodeInfo `loops`.',
    task: DO_NOT_USE,
    options: { config: { app: { software: 'loopsy' } }, nodeInfo: { software: { name: 'loops' } } },
  },
  'nodeinfo-2.1-only': {
    server: 'Has no configuration, and NodeInfo has only a 2.1 link.',
    task: DO_NOT_USE,
    prepare: (state) => {
      state.faults = [
        NO_CONFIG,
        discovery([link('2.1', `${state.url}/nodeinfo/2.1`)]),
        jsonAnswer('/nodeinfo/2.1', nodeInfo(state, '2.1')),
      ];
      return undefined;
    },
  },
  'moved-href': {
    server: 'Has no configuration, and the 2.0 link of NodeInfo, after a 2.1 link, leads to an unusual address.',
    task: CONNECT,
    prepare: (state) => {
      const path = '/About/thisInstance';
      const links = [link('2.1', `${state.url}/nodeinfo/2.1`), link('2.0', `${state.url}${path}?as=nodeinfo&v=2.0`)];
      state.faults = [
        NO_CONFIG,
        discovery(links),
        jsonAnswer(path, nodeInfo(state, '2.0')),
        jsonAnswer('/nodeinfo/2.1', nodeInfo(state, '2.1')),
      ];
      return undefined;
    },
  },
  'live-token': {
    server:
      'Token records have no `scope` and no `created_at`, but `expires_in` and `refresh_token`, as on live servers.',
    task: CONNECT,
    prepare: (state) => {
      const { access_token } = giveToken({ state }, { scopes: ['read'] });
      const record = { token_type: 'Bearer', expires_in: 31_536_000, access_token, refresh_token: 'not-used' };
      state.faults = [jsonAnswer('/oauth/token', record)];
      return undefined;
    },
  },
  'live-video': {
    server: 'Videos are wrapped in `data`, as on live servers.',
    task: CONNECT,
    prepare: changeVideos((video) => ({ data: video })),
  },
  'gone-author': {
    server: 'The `account` of a video is an empty list, as on live servers when the author is gone.',
    task: CONNECT,
    prepare: changeVideos((video) => ({ ...video, account: [] })),
  },
  'no-source': {
    server: 'The `src_url` of a video is null, as on live servers during processing.',
    task: CONNECT,
    prepare: changeVideos((video) => ({ ...video, media: { ...Object(video.media), src_url: null } })),
  },
};

export const SCENARIOS: readonly Scenario[] = Object.entries(BY_NAME).map(([name, scenario]) => ({
  name,
  ...scenario,
}));

function jsonAnswer(route: string, document: object): FaultRule {
  return { route, fault: 'status', status: 200, body: JSON.stringify(document) };
}

function link(version: string, href: string) {
  return { rel: `${SCHEMA}/${version}`, href };
}

function discovery(links: readonly object[]): FaultRule {
  return jsonAnswer('/.well-known/nodeinfo', { links });
}

function nodeInfo({ config, usage }: ReferenceState, version: string): object {
  const { software: name } = config.app;
  return {
    version,
    software: { name, version: config.app.version },
    protocols: ['activitypub'],
    services: { inbound: [], outbound: [] },
    openRegistrations: config.registration,
    usage,
    metadata: {},
  };
}

function changeVideos(change: (video: Record<string, unknown>) => object): Prepare {
  return (state) => {
    const { videos, accounts } = state.data;
    state.faults = videos.all().flatMap((video) => {
      const author = accounts.find(video.account_id);
      if (author === undefined) return [];
      return [jsonAnswer(`/api/v1/video/${video.id}`, change(videoDocument(video, author, state.url, null)))];
    });
    return undefined;
  };
}

/** Changes the redirect that ends the authorization. */
function changeRedirect(change: { set: Record<string, string>; remove?: string[] }): Prepare {
  return (state) => {
    state.faults = [{ route: '/oauth/authorize', fault: 'redirect-query', ...change }];
    return undefined;
  };
}

function revokeFirstToken(): OnExchange {
  let isRevoked = false;
  return ({ target, status, body, answer }, { data, now }) => {
    if (isRevoked || status !== 200 || !target.startsWith('/oauth/token')) return;
    if (Object(body).grant_type !== 'authorization_code') return;
    const token = data.tokens.find(String(JSON.parse(answer ?? '{}').access_token), now());
    if (token === undefined) return;
    data.tokens.revoke(token);
    isRevoked = true;
  };
}
