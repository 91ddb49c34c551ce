import { describe, expect, it } from 'vitest';
import type { Visit } from '../../src/model/visit.ts';
import { fixture } from './fixture.ts';
import {
  CONFIG,
  DISCOVERY,
  html,
  json,
  links,
  NODEINFO,
  nodeInfoAt,
  ROBOTS,
  redirect,
  type Script,
  status,
  visitScript,
} from './scripted-visit.ts';

const config = fixture('config-whole');
const mastodon = fixture('nodeinfo-whole');
const withoutFederation = { ...(config as object), federation: false };

describe('a redirect within the host', () => {
  it.each([301, 302, 303, 307, 308])('with %i is followed', async (code) => {
    const { requested, visit } = await visitScript({
      [CONFIG]: redirect('/moved?x=1', code),
      '/moved?x=1': json(withoutFederation),
    });
    expect(requested).toEqual([ROBOTS, CONFIG, '/moved?x=1']);
    expect(visit).toMatchObject({ verdict: 'loops', via: 'config' });
    expect(visit.steps[1]).toMatchObject({ status: code, code: 'redirect-followed', note: 'redirects to /moved' });
  });

  it.each([
    ['a relative path', 'config.json', '/api/v1/config.json'],
    ['a query alone', '?x', '/api/v1/config?x'],
    ['a URL with the host', 'https://server.example/x', '/x'],
    ['a URL with the host and the default port', 'https://SERVER.example:443/x', '/x'],
    ['a URL whose host has a trailing dot', 'https://server.example./x', '/x'],
    ['a URL without a scheme', '//server.example/x', '/x'],
    ['a path with a fragment, which is not sent', '/x#top', '/x'],
    ['a URL with `//` in its path', 'https://server.example//x', '//x'],
  ])('is followed when Location is %s', async (_what, location, path) => {
    const { requested } = await visitScript({ [CONFIG]: redirect(location), [path]: json(withoutFederation) });
    expect(requested).toEqual([ROBOTS, CONFIG, path]);
  });

  /** A host on which `length` redirects lead from the config endpoint to the config. */
  const chain = (length: number): Script => ({
    [CONFIG]: redirect('/1'),
    ...Object.fromEntries(
      Array.from({ length }, (_, i) => [
        `/${i + 1}`,
        i + 1 === length ? json(withoutFederation) : redirect(`/${i + 2}`),
      ]),
    ),
    [DISCOVERY]: status(404),
  });

  it('is followed three times', async () => {
    expect((await visitScript(chain(3))).visit).toMatchObject({ verdict: 'loops' });
  });

  it('is not followed a fourth time', async () => {
    const { requested, visit } = await visitScript(chain(4));
    expect(requested).toEqual([ROBOTS, CONFIG, '/1', '/2', '/3', DISCOVERY]);
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'no-nodeinfo' });
  });

  it('to itself has the reason redirect-loop', async () => {
    const { visit } = await visitScript({ [CONFIG]: status(404), [DISCOVERY]: redirect(DISCOVERY) });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'redirect-loop' });
  });

  it('is followed from an http href to https, and never from https to http', async () => {
    const script = {
      [CONFIG]: status(404),
      [DISCOVERY]: links('http://server.example/nodeinfo/2.0'),
      'http://server.example/nodeinfo/2.0': redirect('https://server.example/nodeinfo/2.0'),
      [NODEINFO]: json(mastodon),
    };
    expect((await visitScript(script)).visit).toMatchObject({ verdict: 'other' });
    const downgrade = { [CONFIG]: status(404), [DISCOVERY]: redirect(`http://server.example${DISCOVERY}`) };
    expect((await visitScript(downgrade)).visit).toMatchObject({ verdict: 'unidentified', reason: 'redirect-refused' });
  });
});

describe('a refused redirect', () => {
  it.each([
    'data:application/json,{}',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ftp://server.example/',
    'http://[',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://intranet/',
    'https://user:word@server.example/x',
    'https://user@other.example/',
    'https://169.254.169.254/latest/meta-data/',
  ])('to %s causes no request there', async (location) => {
    const { requested, visit } = await visitScript({ [CONFIG]: status(404), [DISCOVERY]: redirect(location) });
    expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY]);
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'redirect-refused' });
    expect(visit.steps.at(-1)).toMatchObject({ code: 'redirect-refused', note: expect.stringMatching(/^redirects /) });
  });

  it('does not put a password into the steps', async () => {
    const { visit } = await visitScript({
      [CONFIG]: status(404),
      [DISCOVERY]: redirect('https://user:hunter2@server.example/x'),
    });
    expect(JSON.stringify(visit.steps)).not.toContain('hunter2');
  });
});

describe('a cross-host redirect', () => {
  const away = (path: string, code?: number) => redirect(`https://new.example${path}`, code);

  it.each<[string, Script, Partial<Visit>]>([
    [
      'of everything is an alias',
      { [ROBOTS]: away(ROBOTS), [CONFIG]: away(CONFIG), [DISCOVERY]: away(DISCOVERY) },
      { verdict: 'alias', reason: 'redirected', aliasOf: 'new.example' as Visit['aliasOf'] },
    ],
    [
      'of discovery alone is an alias',
      { [CONFIG]: status(404), [DISCOVERY]: away(DISCOVERY, 302) },
      { verdict: 'alias' },
    ],
    [
      'of config, without NodeInfo on this host, is an alias',
      { [CONFIG]: away(CONFIG), [DISCOVERY]: status(404) },
      { verdict: 'alias' },
    ],
    [
      'of config, with a web app on this host, is an alias',
      { [CONFIG]: away(CONFIG), [DISCOVERY]: html },
      { verdict: 'alias' },
    ],
    [
      'of config, with NodeInfo failing, is an alias',
      { [CONFIG]: away(CONFIG), [DISCOVERY]: 'response-timeout' },
      { verdict: 'alias' },
    ],
    [
      'of config, with NodeInfo on this host, is the software that NodeInfo names',
      { [CONFIG]: away(CONFIG), ...nodeInfoAt(mastodon) },
      { verdict: 'other', software: 'mastodon' },
    ],
    [
      'of config, with NodeInfo on this host that names Loops, is Loops',
      { [CONFIG]: away(CONFIG), ...nodeInfoAt(fixture('nodeinfo-loops')) },
      { verdict: 'loops', via: 'nodeinfo' },
    ],
    [
      'of config, with discovery on this host that has no link, is not an alias',
      { [CONFIG]: away(CONFIG), [DISCOVERY]: json({}) },
      { verdict: 'unidentified', reason: 'no-nodeinfo-2.0-link' },
    ],
    [
      'of config, with a dead href, is not an alias',
      { [CONFIG]: away(CONFIG), [DISCOVERY]: links('https://server.example/x'), '/x': status(404) },
      { verdict: 'unidentified', reason: 'href-dead' },
    ],
    [
      'of config, with an href to a forbidden address, is not an alias',
      { [CONFIG]: away(CONFIG), [DISCOVERY]: links('https://10.0.0.1/'), 'https://10.0.0.1/': 'forbidden-address' },
      { verdict: 'declined', reason: 'forbidden-address' },
    ],
    [
      'of config, where robots.txt forbids NodeInfo, is not an alias',
      { [ROBOTS]: { status: 200, body: 'User-agent: *\nDisallow: /.well-known/\n' }, [CONFIG]: away(CONFIG) },
      { verdict: 'declined', reason: 'robots-forbidden' },
    ],
    [
      'of the NodeInfo document is not an alias',
      { [CONFIG]: status(404), [DISCOVERY]: links('https://server.example/x'), '/x': away('/x') },
      { verdict: 'unidentified', reason: 'href-redirected' },
    ],
    [
      'to port 80 is an alias of another domain',
      { [CONFIG]: status(404), [DISCOVERY]: redirect('https://server.example:80/') },
      { verdict: 'alias', aliasOf: 'server.example:80' as Visit['aliasOf'] },
    ],
    [
      'to www is an alias of another domain',
      { [CONFIG]: status(404), [DISCOVERY]: redirect('https://www.server.example/') },
      { verdict: 'alias', aliasOf: 'www.server.example' as Visit['aliasOf'] },
    ],
    [
      'over http is an alias too',
      { [CONFIG]: status(404), [DISCOVERY]: redirect('http://new.example/') },
      { verdict: 'alias', aliasOf: 'new.example' as Visit['aliasOf'] },
    ],
    [
      'after a redirect within the host is an alias',
      { [CONFIG]: redirect('/moved'), '/moved': away('/'), [DISCOVERY]: status(404) },
      { verdict: 'alias' },
    ],
  ])('%s', async (_claim, script, expected) => {
    const { requested, visit } = await visitScript(script);
    expect(visit).toMatchObject(expected);
    // A redirect of robots.txt is followed to another host (RFC 9309 section 2.3.1.2); nothing else is requested there.
    const requestedThere = requested.filter((url) => url.includes('new.example'));
    expect(requestedThere.filter((url) => url !== 'https://new.example/robots.txt')).toEqual([]);
  });

  it('never makes a host an alias of itself', async () => {
    for (const location of ['https://server.example./', 'https://SERVER.EXAMPLE:443/', '//server.example']) {
      const { visit } = await visitScript({ [CONFIG]: status(404), [DISCOVERY]: redirect(location), '/': html });
      expect(visit.verdict).toBe('unidentified');
    }
  });

  it('back to the visited host, from a NodeInfo document on another host, is not followed', async () => {
    const { requested, visit } = await visitScript({
      [CONFIG]: status(404),
      [DISCOVERY]: links('https://other.example/x'),
      'https://other.example/x': redirect('https://server.example/nodeinfo/2.0'),
    });
    expect(requested.at(-1)).toBe('https://other.example/x');
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'href-redirected' });
  });
});

describe("a redirect to a port that is neither 80, 443 nor the domain's own", () => {
  it.each(['https://victim.example:6379/', 'http://victim.example:22/', 'https://server.example:8443/'])(
    'adds no domain and sends no request: %s',
    async (location) => {
      const script = { [ROBOTS]: redirect(location), [CONFIG]: redirect(location), [DISCOVERY]: redirect(location) };
      const { requested, visit } = await visitScript(script);
      expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY]);
      expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'redirect-refused', aliasOf: null });
    },
  );

  it('is an alias when the domain itself has that port', async () => {
    const script = { [CONFIG]: redirect('https://new.example:8443/'), [DISCOVERY]: status(404) };
    const { visit } = await visitScript(script, { domain: 'server.example:8443' });
    expect(visit).toMatchObject({ verdict: 'alias', aliasOf: 'new.example:8443' });
  });
});

describe('a robots.txt that redirects', () => {
  it('from host to host is followed to at most three other hosts', async () => {
    const hop = (index: number) => `https://other${index}.example/robots.txt`;
    const script: Script = { [ROBOTS]: redirect(hop(1)), [CONFIG]: json(withoutFederation) };
    for (let index = 1; index <= 5; index += 1) script[hop(index)] = redirect(hop(index + 1));
    const { requested } = await visitScript(script);
    expect(requested).toEqual([ROBOTS, hop(1), hop(2), hop(3), CONFIG]);
  });

  it('to http on another host is ignored, and nothing is requested there', async () => {
    const location = 'http://other.example/robots.txt';
    const { requested, visit } = await visitScript({ [ROBOTS]: redirect(location), [CONFIG]: json(withoutFederation) });
    expect(requested).toEqual([ROBOTS, CONFIG]);
    expect(visit.verdict).toBe('loops');
  });
});

describe('a redirect within the host to a path that robots.txt forbids', () => {
  const privateForbidden = { [ROBOTS]: { status: 200, body: 'User-agent: Loopscout\nDisallow: /private/\n' } };
  const loops = json(fixture('nodeinfo-loops'));

  it.each<[string, Script, string[], Partial<Visit>]>([
    [
      'of discovery',
      { [CONFIG]: status(404), [DISCOVERY]: redirect('/private/nodeinfo') },
      [ROBOTS, CONFIG, DISCOVERY],
      { verdict: 'declined', reason: 'robots-forbidden' },
    ],
    [
      'of the NodeInfo document, after another redirect',
      {
        [CONFIG]: status(404),
        [DISCOVERY]: links('https://server.example/n'),
        '/n': redirect('/m'),
        '/m': redirect('/private/n?x'),
      },
      [ROBOTS, CONFIG, DISCOVERY, '/n', '/m'],
      { verdict: 'declined', reason: 'robots-forbidden' },
    ],
    [
      'of config, while NodeInfo decides',
      {
        [CONFIG]: redirect('/private/config'),
        [DISCOVERY]: links(`https://server.example${NODEINFO}`),
        [NODEINFO]: loops,
      },
      [ROBOTS, CONFIG, DISCOVERY, NODEINFO],
      { verdict: 'loops', via: 'nodeinfo' },
    ],
    [
      'of config, without NodeInfo',
      { [CONFIG]: redirect('/private/config'), [DISCOVERY]: status(404) },
      [ROBOTS, CONFIG, DISCOVERY],
      { verdict: 'declined', reason: 'robots-forbidden' },
    ],
  ])('is not followed: %s', async (_what, script, expected, expectedVisit) => {
    const { requested, visit } = await visitScript({ ...privateForbidden, ...script });
    expect(requested).toEqual(expected);
    expect(visit).toMatchObject(expectedVisit);
    const step = visit.steps.find(({ note }) => note?.includes('to /private/'));
    expect(step?.code).toBe('forbidden-to-us');
    expect(step?.note).toMatch(
      /^redirects to \/private\/\w+, which was not requested: robots.txt forbids it to Loopscout$/,
    );
  });

  it('is not followed in the robots mode strict when the path is forbidden to everyone', async () => {
    const apiForbidden = { [ROBOTS]: { status: 200, body: 'User-agent: *\nDisallow: /api/\n' } };
    const script = { ...apiForbidden, [DISCOVERY]: redirect('/api/nodeinfo'), '/api/nodeinfo': loops };
    const { requested, visit } = await visitScript(script, { robots: 'strict' });
    expect(requested).toEqual([ROBOTS, DISCOVERY]);
    expect(visit).toMatchObject({ verdict: 'declined', reason: 'robots-forbidden' });
  });

  it('is not followed on another host when its own robots.txt forbids the path', async () => {
    const { requested, visit } = await visitScript({
      [CONFIG]: status(404),
      [DISCOVERY]: links('https://nodes.example/n'),
      'https://nodes.example/robots.txt': privateForbidden[ROBOTS],
      'https://nodes.example/n': redirect('/private/n'),
    });
    expect(requested.at(-1)).toBe('https://nodes.example/n');
    expect(visit).toMatchObject({ verdict: 'declined', reason: 'robots-forbidden' });
  });
});

describe('bytes above 127 in a redirect are UTF-8:', () => {
  it.each([
    ['in the host', 'https://café.example/api/v1/config', 'xn--caf-dma.example'],
    ['in an upper-case host', 'https://CAFÉ.example/', 'xn--caf-dma.example'],
    ['in a host of another script', 'https://クリップ.example/', 'xn--pckxb4cud.example'],
  ])('%s', async (_what, location, aliasOf) => {
    const { visit, requested } = await visitScript({ [CONFIG]: redirect(location), [DISCOVERY]: redirect(location) });
    expect(visit).toMatchObject({ verdict: 'alias', aliasOf });
    expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY]);
  });

  it('in a path within the host, which robots.txt may forbid', async () => {
    const moved: Script = {
      [CONFIG]: redirect('/über?q=ü'),
      [DISCOVERY]: status(404),
      '/%C3%BCber?q=%C3%BC': json({ app: { software: 'loops' }, federation: false }),
    };
    expect((await visitScript(moved)).visit).toMatchObject({ verdict: 'loops', via: 'config' });
    for (const rule of ['/über', '/%C3%BCber', '/%c3%bcber']) {
      const robots = { status: 200, body: `User-agent: Loopscout\nDisallow: ${rule}\n` };
      const { visit } = await visitScript({ '/robots.txt': robots, ...moved });
      expect(
        visit.steps.find(({ probe }) => probe === 'config'),
        rule,
      ).toMatchObject({ code: 'forbidden-to-us' });
    }
  });

  it.each(['https://caf\ufffd.example/', '/api/\ufffd', 'https://clips.example/\ufffd'])(
    'bytes that are not UTF-8, as in %s, make it invalid',
    async (location) => {
      const { visit, requested } = await visitScript({ [CONFIG]: redirect(location), [DISCOVERY]: redirect(location) });
      expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'redirect-refused', aliasOf: null });
      expect(requested).toEqual([ROBOTS, CONFIG, DISCOVERY]);
    },
  );
});

describe('a redirect to the scheme or port of a web server behind a proxy', () => {
  it.each([
    ['http://server.example:8080/x', 'redirects from https to http://server.example:8080'],
    ['https://server.example:8443/x', 'redirects to server.example:8443, a port that is not requested'],
    ['http://backend:8000/x', 'redirects to backend:8000, a port that is not requested'],
  ])('as %s is refused, and its step names it', async (location, note) => {
    const { visit } = await visitScript({ [CONFIG]: redirect(location), [DISCOVERY]: redirect(location) });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'redirect-refused' });
    expect(visit.steps.at(-1)).toMatchObject({ code: 'redirect-refused', note });
  });
});
