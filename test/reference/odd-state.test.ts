import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../src/reference/server.ts';
import { createState } from '../../src/reference/state.ts';
import { findTarget } from './attacks/find-target.ts';
import type { Target } from './attacks/random-request.ts';

/** Values of different types: each field has the wrong type with most of them. */
const wrongValues: readonly unknown[] = [null, 1.5, '<b>'];

/** The paths of all values in a document, including objects and lists. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  const nestedPaths =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, part]) => pathsIn(part, [...path, key]))
      : [];
  return path.length === 0 ? nestedPaths : [path, ...nestedPaths];
}

/** A copy of a document in which the value at a path is replaced. */
function withValue<T>(document: T, [key, ...rest]: readonly string[], value: unknown): T {
  if (key === undefined) return value as T;
  const copy = structuredClone(document) as Record<string, unknown>;
  copy[key] = withValue(copy[key], rest, value);
  return copy as T;
}

let server: ReferenceServer;
let target: Target;
beforeAll(async () => {
  server = await createReferenceServer({ rateLimit: null });
  target = await findTarget(server);
  // Otherwise, the profile live would remember the consent and show no page.
  server.state.data.tokens.revokeAllOf(server.state.data.accounts.findByUsername('ada')?.id ?? '');
});
afterAll(() => server.close());

/** Expects the status 200 or 404, so no internal error, in both profiles. */
async function expectServed(paths: readonly string[]): Promise<void> {
  for (const profile of ['spec', 'live'] as const) {
    server.state.profile = profile;
    for (const url of paths) {
      const { statusCode, body } = await server.app.inject({ url, headers: { cookie: target.cookie } });
      expect([200, 404], body).toContain(statusCode);
    }
  }
}

describe('a value of the wrong type, set by a test, is served without an error', () => {
  const base = 'http://127.0.0.1';

  it('in config and in the counts', async () => {
    const { config, usage } = createState(base);
    const valuePaths = pathsIn({ config, usage });
    const authorize = new URLSearchParams({
      response_type: 'code',
      client_id: target.clientId,
      redirect_uri: target.redirectUri,
    });
    const paths = [
      '/api/v1/config',
      '/.well-known/nodeinfo',
      '/nodeinfo/2.0',
      '/nodeinfo/2.1',
      '/ap/actor',
      '/nothing',
    ];
    for (const path of valuePaths) {
      // The state must have a config object.
      if (path.join() === 'config') continue;
      for (const value of wrongValues) {
        Object.assign(server.state, withValue({ config, usage }, path, value));
        await expectServed([...paths, `/oauth/authorize?${authorize}`]);
      }
    }
    Object.assign(server.state, { config, usage });
  });

  it('in an account', async () => {
    const { accounts } = server.state.data;
    const account = accounts.findByUsername('noor');
    if (account === undefined) throw new Error('The seeded account is missing.');
    const { id, username, ...servedFields } = account;
    const resource = `acct:${username}@${new URL(server.url).host}`;
    for (const path of pathsIn(servedFields)) {
      for (const value of wrongValues) {
        accounts.update(id, withValue(servedFields, path, value));
        await expectServed([`/ap/users/${id}`, `/.well-known/webfinger?resource=${resource}`]);
      }
      accounts.update(id, servedFields);
    }
  });

  it('in a video', async () => {
    const { videos } = server.state.data;
    const video = videos.find(target.videoId);
    if (video === undefined) throw new Error('The seeded video is missing.');
    const { id, account_id, liked_by, bookmarked_by, ...servedFields } = video;
    for (const path of pathsIn(servedFields)) {
      for (const value of wrongValues) {
        videos.update(id, withValue(servedFields, path, value));
        await expectServed([`/api/v1/video/${id}`, `/media/videos/${id}.svg`]);
      }
      videos.update(id, servedFields);
    }
  });
});
