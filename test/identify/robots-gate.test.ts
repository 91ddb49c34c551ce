import { describe, expect, it } from 'vitest';
import type { RobotsMode } from '../../src/identify/visit-context.ts';
import { fixture } from './fixture.ts';
import {
  CONFIG,
  DISCOVERY,
  json,
  links,
  NODEINFO,
  nodeInfoAt,
  type Reply,
  ROBOTS,
  redirect,
  robots,
  type Script,
  status,
  visitScript,
} from './scripted-visit.ts';

const config = fixture('config-whole');
const loops: Script = { [CONFIG]: json(config), ...nodeInfoAt(fixture('nodeinfo-loops')) };
const mastodon: Script = { [CONFIG]: status(404), ...nodeInfoAt(fixture('nodeinfo-whole')) };
/** Like the file of live Loops servers. */
const apiForAll = 'User-agent: *\nAllow: /\nAllow: /.well-known/nodeinfo\nAllow: /nodeinfo/2.0\nDisallow: /api/\n';
const forAll = 'User-agent: *\nDisallow: /\n';
const forLoopscout = 'User-agent: Loopscout\nDisallow: /\n';
const configForLoopscout = 'User-agent: Loopscout\nDisallow: /api/\n';

const allRequests = [ROBOTS, CONFIG, DISCOVERY, NODEINFO];

describe('robots.txt', () => {
  it.each<[mode: RobotsMode, what: string, robotsTxt: string, requests: string[], reason: string]>([
    ['standard', 'the API forbidden to everyone', apiForAll, allRequests, 'config-software'],
    ['strict', 'the API forbidden to everyone', apiForAll, [ROBOTS, DISCOVERY, NODEINFO], 'nodeinfo-software'],
    ['off', 'the API forbidden to everyone', apiForAll, allRequests.slice(1), 'config-software'],
    ['standard', 'all forbidden to everyone', forAll, [ROBOTS, CONFIG], 'config-software'],
    ['strict', 'all forbidden to everyone', forAll, [ROBOTS], 'robots-forbidden'],
    ['off', 'all forbidden to everyone', forAll, allRequests.slice(1), 'config-software'],
    ['standard', 'all forbidden to us', forLoopscout, [ROBOTS], 'robots-forbidden'],
    ['strict', 'all forbidden to us', forLoopscout, [ROBOTS], 'robots-forbidden'],
    ['off', 'all forbidden to us', forLoopscout, allRequests.slice(1), 'config-software'],
    [
      'standard',
      'all forbidden to everyone and allowed to us',
      `${forAll}\nUser-agent: Loopscout\nAllow: /\n`,
      allRequests,
      'config-software',
    ],
    [
      'strict',
      'all forbidden to everyone and allowed to us',
      `${forAll}\nUser-agent: Loopscout\nAllow: /\n`,
      allRequests,
      'config-software',
    ],
    ['standard', 'config forbidden to us', configForLoopscout, [ROBOTS, DISCOVERY, NODEINFO], 'nodeinfo-software'],
    [
      'standard',
      'the NodeInfo document forbidden to everyone',
      'User-agent: *\nDisallow: /nodeinfo/\n',
      [ROBOTS, CONFIG, DISCOVERY],
      'config-software',
    ],
  ])('in the mode %s permits the expected requests: %s', async (mode, _what, text, expected, reason) => {
    const { requested, visit } = await visitScript({ ...loops, [ROBOTS]: robots(text) }, { robots: mode });
    expect(requested).toEqual(expected);
    expect(visit.reason).toBe(reason);
  });

  it.each<[mode: RobotsMode, what: string, robotsTxt: string, requests: string[], verdict: string]>([
    ['standard', 'all forbidden to everyone', forAll, [ROBOTS, CONFIG], 'declined'],
    [
      'standard',
      'the NodeInfo document forbidden to everyone',
      'User-agent: *\nDisallow: /nodeinfo/\n',
      [ROBOTS, CONFIG, DISCOVERY],
      'declined',
    ],
    ['standard', 'the API forbidden to everyone', apiForAll, allRequests, 'other'],
    ['strict', 'the API forbidden to everyone', apiForAll, [ROBOTS, DISCOVERY, NODEINFO], 'other'],
    ['off', 'all forbidden to everyone', forAll, allRequests.slice(1), 'other'],
  ])(
    'in the mode %s, on a host without config, permits the expected requests: %s',
    async (mode, _what, text, expected, verdict) => {
      const { requested, visit } = await visitScript({ ...mastodon, [ROBOTS]: robots(text) }, { robots: mode });
      expect(requested).toEqual(expected);
      expect(visit.verdict).toBe(verdict);
      if (verdict === 'declined') expect(visit.reason).toBe('robots-forbidden');
    },
  );

  it('that forbids config adds a step with a note', async () => {
    const { visit } = await visitScript({ ...loops, [ROBOTS]: robots(apiForAll) }, { robots: 'strict' });
    expect(visit).toMatchObject({ verdict: 'loops', via: 'nodeinfo' });
    expect(visit.steps.find(({ probe }) => probe === 'config')).toMatchObject({
      status: null,
      failure: null,
      note: expect.stringContaining('robots'),
    });
  });

  it('that forbids config makes a host without NodeInfo declined', async () => {
    const script = { [ROBOTS]: robots(configForLoopscout), [DISCOVERY]: status(404) };
    expect((await visitScript(script)).visit).toMatchObject({ verdict: 'declined', reason: 'robots-forbidden' });
  });

  it('that forbids config does not make an unreachable host declined', async () => {
    const script = {
      [ROBOTS]: robots(configForLoopscout),
      [DISCOVERY]: 'connection-reset' as const,
    };
    expect((await visitScript(script)).visit).toMatchObject({ verdict: 'unreachable', reason: 'connection-reset' });
  });

  it.each(['//', '//nodeinfo/2.0', '//[', '', '?x', '/..', '/%2e%2e/.well-known/'])(
    'applies to an href with the path %s',
    async (path) => {
      const { requested, visit } = await visitScript({
        [ROBOTS]: robots('User-agent: *\nDisallow: /\nAllow: /.well-known/\n'),
        [CONFIG]: status(404),
        [DISCOVERY]: links(`https://server.example${path}`),
      });
      expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY]);
      expect(visit).toMatchObject({ verdict: 'declined', reason: 'robots-forbidden' });
    },
  );
});

describe('a robots.txt request that results in', () => {
  it.each<[string, Reply]>([
    ['500', status(500)],
    ['503 with Retry-After', status(503, { 'retry-after': '600' })],
    ['a response-timeout', 'response-timeout'],
    ['a body-timeout', 'body-timeout'],
    ['a reset', 'connection-reset'],
    ['invalid HTTP', 'invalid-http'],
  ])('%s makes the visit unreachable, and nothing else is requested', async (_what, reply) => {
    const { requested, visit } = await visitScript({ ...loops, [ROBOTS]: reply });
    expect(new Set(requested)).toEqual(new Set([ROBOTS]));
    expect(visit).toMatchObject({ verdict: 'unreachable', reason: 'robots-unreachable' });
  });

  it.each(['connect-refused', 'tls-expired', 'connect-timeout', 'tls-timeout', 'visit-timeout'] as const)(
    '%s makes the visit unreachable for this reason',
    async (failure) => {
      const { visit } = await visitScript({ ...loops, [ROBOTS]: failure });
      expect(visit).toMatchObject({ verdict: 'unreachable', reason: failure });
    },
  );

  it('429 makes the visit declined', async () => {
    const { requested, visit } = await visitScript({ ...loops, [ROBOTS]: status(429, { 'retry-after': '600' }) });
    expect(requested).toEqual([ROBOTS]);
    expect(visit).toMatchObject({ verdict: 'declined', reason: 'rate-limited', retryAfterMs: 600_000 });
  });

  it('503 sets the Retry-After of the visit', async () => {
    const { visit } = await visitScript({ ...loops, [ROBOTS]: status(503, { 'retry-after': '600' }) });
    expect(visit.retryAfterMs).toBe(600_000);
  });

  it('a first 500 is sent again once', async () => {
    const { requested, visit } = await visitScript({ ...loops, [ROBOTS]: [status(500), status(404)] });
    expect(requested).toEqual([ROBOTS, ...allRequests]);
    expect(visit.verdict).toBe('loops');
  });

  it.each<[string, Reply]>([
    ['404', status(404)],
    ['403', status(403)],
    ['410', status(410)],
    ['an empty file', robots('')],
    ['a redirect to another host', redirect('https://other.example/robots.txt')],
  ])('%s forbids nothing', async (_what, reply) => {
    const { visit } = await visitScript({ ...loops, [ROBOTS]: reply }, { robots: 'strict' });
    expect(visit).toMatchObject({ verdict: 'loops', via: 'config' });
  });

  it('a redirect within the host is followed', async () => {
    const script = { ...mastodon, [ROBOTS]: redirect('/static/robots.txt'), '/static/robots.txt': robots(forAll) };
    expect((await visitScript(script)).visit).toMatchObject({ verdict: 'declined', reason: 'robots-forbidden' });
  });
});
