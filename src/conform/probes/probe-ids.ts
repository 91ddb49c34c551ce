/**
 * The probes in the order of a run, each with what it needs: `write` changes the server (it registers an app or gets a token), `user` signs
 * in, `token` uses the token of the user or of `--token`, `video` needs the id of a video.
 */
export const PROBES = {
  config: 'nothing',
  discovery: 'nothing',
  nodeinfo: 'nothing',
  metadata: 'nothing',
  video: 'video',
  'video-unknown': 'nothing',
  'account-without-token': 'nothing',
  'account-unknown-token': 'nothing',
  'authorize-without-client': 'nothing',
  'authorize-unknown-client': 'nothing',
  'token-empty': 'nothing',
  'token-unknown-client': 'nothing',
  'revoke-empty': 'nothing',
  'apps-empty': 'nothing',
  'apps-without-name': 'write',
  'apps-without-redirect': 'write',
  apps: 'write',
  'authorize-other-redirect': 'write',
  'token-without-grant': 'write',
  'token-unknown-grant': 'write',
  'token-wrong-secret': 'write',
  'token-without-code': 'write',
  'token-unknown-code': 'write',
  'token-scope-beyond': 'write',
  'app-token': 'write',
  'account-app-token': 'write',
  'revoke-wrong-secret': 'write',
  'revoke-unknown-token': 'write',
  'revoke-app-token': 'write',
  authorize: 'user',
  token: 'user',
  account: 'token',
  revoke: 'user',
  'account-revoked-token': 'user',
  'token-reused-code': 'user',
  'authorize-without-state': 'user',
  'token-other-redirect': 'user',
  'authorize-challenge': 'user',
  'token-verifier': 'user',
  'account-public-token': 'user',
  'authorize-second-challenge': 'user',
  'token-wrong-verifier': 'user',
  'authorize-denied': 'user',
  'authorize-response-type': 'user',
  'authorize-scope-beyond': 'user',
  'authorize-other-port': 'user',
  'revoke-rest': 'write',
} as const satisfies Record<string, 'nothing' | 'write' | 'user' | 'token' | 'video'>;

export type ProbeId = keyof typeof PROBES;
export type Need = (typeof PROBES)[ProbeId];

export const PROBE_IDS = Object.keys(PROBES) as ProbeId[];
