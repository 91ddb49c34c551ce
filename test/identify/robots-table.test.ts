import { describe, expect, it } from 'vitest';
import type { RobotsMode } from '../../src/identify/visit-context.ts';
import type { CachedRobots } from '../../src/model/domain-record.ts';
import { fixture } from './fixture.ts';
import {
  CONFIG,
  DISCOVERY,
  json,
  NODEINFO,
  nodeInfoAt,
  type Reply,
  ROBOTS,
  redirect,
  robots,
  type Script,
  status,
  VISITED_AT,
  visitScript,
} from './scripted-visit.ts';

const loops: Script = { [CONFIG]: json(fixture('config-whole')), ...nodeInfoAt(fixture('nodeinfo-loops')) };

/** Like the file of live Loops servers: forbids config and allows NodeInfo. */
const liveLoops = `User-agent: *
Allow: /
Allow: /.well-known/nodeinfo
Allow: /nodeinfo/2.0
Disallow: /api/
Allow: /api/v1/video/
`;
/** Like the file of GoToSocial: forbids scrapers by name, and the API to everyone, with a delay. */
const goToSocial = `User-agent: SomeScraper
User-agent: AnotherScraper
Disallow: /

User-agent: *
Crawl-delay: 500
Disallow: /api/
Disallow: /auth/
Disallow: /fileserver/
`;
const allForbidden = 'User-agent: *\nDisallow: /\n';
const html: Reply = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>x</title>' };
const rulesBefore2MB = robots(`User-agent: *\nDisallow: /nodeinfo\n#${'x'.repeat(2_000_000)}\n`);

/**
 * The replies of robots.txt, and the expected visit in each robots mode, such as `rcdn loops config`. The first word is the
 * requests: `r` for robots.txt, `c` for config, `d` for discovery, `n` for NodeInfo, and the last character of any other URL.
 * Then follow the verdict, and the document that identified Loops or the reason.
 */
type Row = [what: string, replies: Script, standard: string, strict: string, off: string];

/** In the mode `off`, the visit does not depend on robots.txt. */
const OFF = 'cdn loops config';

/**
 * In the mode `standard`, the group `*` does not forbid config; in `strict`, both groups apply to every request; in `off`,
 * robots.txt is not requested. As in RFC 9309, a 4xx other than 429 allows everything, and a 5xx or no response allows nothing.
 * Five redirects are followed; with more, robots.txt counts as absent.
 */
const rows: Row[] = [
  ['the file of Loops', { [ROBOTS]: robots(liveLoops) }, 'rcdn loops config', 'rdn loops nodeinfo', OFF],
  ['the file of GoToSocial', { [ROBOTS]: robots(goToSocial) }, 'rcdn loops config', 'rdn loops nodeinfo', OFF],
  [
    'us forbidden by name',
    { [ROBOTS]: robots('User-agent: loopscout\nDisallow: /\n') },
    'r declined robots-forbidden',
    'r declined robots-forbidden',
    OFF,
  ],
  [
    'us forbidden by name, with a line of another kind before everybody',
    { [ROBOTS]: robots('User-agent: Loopscout\nSitemap: https://a.example/s.xml\nUser-agent: *\nDisallow: /\n') },
    'r declined robots-forbidden',
    'r declined robots-forbidden',
    OFF,
  ],
  [
    'us forbidden by name, with escapes',
    { [ROBOTS]: robots('User-agent: Loopscout\nDisallow: /%61pi/\nDisallow: /%2Ewell-known/\n') },
    'r declined robots-forbidden',
    'r declined robots-forbidden',
    OFF,
  ],
  [
    '15,000 rules for other paths',
    { [ROBOTS]: robots(`User-agent: *\n${'Disallow: /archive/private\n'.repeat(15_000)}`) },
    'rcdn loops config',
    'rcdn loops config',
    OFF,
  ],
  [
    'us allowed by name, all others forbidden',
    { [ROBOTS]: robots(`${allForbidden}\nUser-agent: Loopscout\nDisallow:\n`) },
    'rcdn loops config',
    'rcdn loops config',
    OFF,
  ],
  ['everybody forbidden', { [ROBOTS]: robots(allForbidden) }, 'rc loops config', 'r declined robots-forbidden', OFF],
  ['404', { [ROBOTS]: status(404) }, 'rcdn loops config', 'rcdn loops config', OFF],
  ['401', { [ROBOTS]: status(401) }, 'rcdn loops config', 'rcdn loops config', OFF],
  ['403', { [ROBOTS]: status(403) }, 'rcdn loops config', 'rcdn loops config', OFF],
  ['429', { [ROBOTS]: status(429) }, 'r declined rate-limited', 'r declined rate-limited', OFF],
  ['500', { [ROBOTS]: status(500) }, 'rr unreachable robots-unreachable', 'rr unreachable robots-unreachable', OFF],
  ['500 once', { [ROBOTS]: [status(500), status(404)] }, 'rrcdn loops config', 'rrcdn loops config', OFF],
  [
    'a time-out',
    { [ROBOTS]: 'response-timeout' },
    'r unreachable robots-unreachable',
    'r unreachable robots-unreachable',
    OFF,
  ],
  [
    'a reset',
    { [ROBOTS]: 'connection-reset' },
    'r unreachable robots-unreachable',
    'r unreachable robots-unreachable',
    OFF,
  ],
  ['2 MB, rules first', { [ROBOTS]: rulesBefore2MB }, 'rcd loops config', 'rcd loops config', OFF],
  [
    'a byte order mark',
    { [ROBOTS]: robots(`\ufeff${allForbidden}`) },
    'rc loops config',
    'r declined robots-forbidden',
    OFF,
  ],
  ['HTML instead', { [ROBOTS]: html }, 'rcdn loops config', 'rcdn loops config', OFF],
  [
    'five redirects, to other hosts too',
    {
      [ROBOTS]: redirect('/1'),
      '/1': redirect('/2'),
      '/2': redirect('https://other.example/3'),
      'https://other.example/3': redirect('https://third.example/4'),
      'https://third.example/4': redirect('/5'),
      'https://third.example/5': robots(allForbidden),
    },
    'r12345c loops config',
    'r12345 declined robots-forbidden',
    OFF,
  ],
  [
    'six redirects',
    Object.fromEntries([...Array(7).keys()].map((hop) => [hop === 0 ? ROBOTS : `/${hop}`, redirect(`/${hop + 1}`)])),
    'r12345cdn loops config',
    'r12345cdn loops config',
    OFF,
  ],
  [
    'a redirect to a forbidden address',
    { [ROBOTS]: redirect('https://inside.example/'), 'https://inside.example/': 'forbidden-address' },
    'r/ declined forbidden-address',
    'r/ declined forbidden-address',
    OFF,
  ],
];

const letters: Record<string, string> = { [ROBOTS]: 'r', [CONFIG]: 'c', [DISCOVERY]: 'd', [NODEINFO]: 'n' };

/** Visits a Loops server with these replies, and describes the visit as in {@link Row}. */
async function describeVisit(replies: Script, mode: RobotsMode): Promise<string> {
  const { visit, requested } = await visitScript({ ...loops, ...replies }, { robots: mode });
  const requestLetters = requested.map((url) => letters[url] ?? url.slice(-1)).join('');
  return `${requestLetters} ${visit.verdict} ${visit.verdict === 'loops' ? visit.via : visit.reason}`;
}

describe('a visit makes the expected requests in each robots mode:', () => {
  it.each(rows)('%s', async (_what, replies, standard, strict, off) => {
    const visits = await Promise.all(
      (['standard', 'strict', 'off'] as const).map((mode) => describeVisit(replies, mode)),
    );
    expect(visits).toEqual([standard, strict, off]);
  });
});

describe('a cached robots.txt', () => {
  const hour = 3_600_000;
  const readHoursAgo = (hoursAgo: number, text: string | null): CachedRobots => ({
    readAt: VISITED_AT - hoursAgo * hour,
    body: text === null ? null : Buffer.from(text),
  });

  it('is used for a day, and a step says so', async () => {
    const { visit, requested } = await visitScript(loops, { cachedRobots: readHoursAgo(23.9, allForbidden) });
    expect(requested).toEqual([CONFIG]);
    expect(visit.robots).toBeNull();
    expect(visit.steps[0]).toMatchObject({
      probe: 'robots',
      status: null,
      note: 'not requested: read less than a day ago',
    });
  });

  it('with the body null allows every request, because the host had none', async () => {
    const { requested } = await visitScript(loops, { cachedRobots: readHoursAgo(1, null) });
    expect(requested).toEqual([CONFIG, DISCOVERY, NODEINFO]);
  });

  it.each([24, 25, -1])('is requested again when its age is %s hours', async (hours) => {
    const { visit, requested } = await visitScript(
      { ...loops, [ROBOTS]: robots(liveLoops) },
      { cachedRobots: readHoursAgo(hours, allForbidden) },
    );
    expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY, NODEINFO]);
    expect(visit.robots).toEqual({ readAt: VISITED_AT, body: Buffer.from(liveLoops) });
  });

  it('is not stored when unavailable', async () => {
    const { visit } = await visitScript({ [ROBOTS]: status(500) });
    expect(visit.robots).toBeNull();
  });
});

it('config forbidden in strict mode is a step with the reason', async () => {
  const { visit } = await visitScript({ ...loops, [ROBOTS]: robots(liveLoops) }, { robots: 'strict' });
  expect(visit.steps.find(({ probe }) => probe === 'config')).toMatchObject({
    status: null,
    code: 'forbidden-to-all',
    note: 'not requested: robots.txt forbids it to everyone',
  });
});

describe('the NodeInfo of a third-party host', () => {
  const elsewhere: Script = {
    [CONFIG]: status(404),
    [DISCOVERY]: json({
      links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: 'https://nodes.example/n' }],
    }),
    'https://nodes.example/n': json({ software: { name: 'loops' } }),
  };

  it.each<[string, Reply, Record<string, unknown>]>([
    ['is read if the robots.txt there allows it', robots(''), { verdict: 'loops' }],
    [
      'is not read if the robots.txt there forbids it',
      robots(allForbidden),
      { verdict: 'declined', reason: 'robots-forbidden' },
    ],
    ['is dead if the robots.txt there is unavailable', status(500), { verdict: 'unidentified', reason: 'href-dead' }],
  ])('%s', async (_what, reply, expected) => {
    const { visit, requested } = await visitScript({ ...elsewhere, 'https://nodes.example/robots.txt': reply });
    expect(visit).toMatchObject(expected);
    expect(requested.includes('https://nodes.example/n')).toBe(expected.verdict === 'loops');
  });

  it('has a step with its URL if the robots.txt there is unavailable', async () => {
    const { visit } = await visitScript({ ...elsewhere, 'https://nodes.example/robots.txt': status(500) });
    expect(visit.steps.at(-1)).toMatchObject({
      probe: 'nodeinfo',
      url: 'https://nodes.example/n',
      status: null,
      failure: null,
      code: 'robots-unavailable',
      note: 'not requested: the robots.txt of its host is unavailable',
    });
  });
});
