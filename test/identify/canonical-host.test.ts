import { describe, expect, it } from 'vitest';
import type { VisitContext } from '../../src/identify/visit-context.ts';
import {
  CONFIG,
  DISCOVERY,
  domainOf,
  json,
  links,
  redirect,
  type Script,
  status,
  VISITED_AT,
  visitScript,
} from './scripted-visit.ts';

const config = (url: string | null, federation = false) => json({ app: { software: 'loops', url }, federation });
const nodeInfo = json({ software: { name: 'loops', version: '1.0.0' } });

describe('the canonical host of an instance', () => {
  it.each<[string, Script, string | null]>([
    ['is null when app.url names the visited host', { [CONFIG]: config('https://server.example') }, null],
    ['is null when app.url is null', { [CONFIG]: config(null) }, null],
    ['is null when app.url names a host that is not public', { [CONFIG]: config('https://localhost') }, null],
    ['is the host of app.url', { [CONFIG]: config('https://clips.example/') }, 'clips.example'],
    [
      'is the host of its NodeInfo rather than that of app.url',
      {
        [CONFIG]: config('https://clips.example/', true),
        [DISCOVERY]: links('https://nodes.example/n'),
        'https://nodes.example/n': nodeInfo,
      },
      'nodes.example',
    ],
    [
      'is the host that config redirects to',
      {
        [CONFIG]: redirect('https://clips.example/api/v1/config'),
        [DISCOVERY]: links('https://server.example/n'),
        '/n': nodeInfo,
      },
      'clips.example',
    ],
  ])('%s', async (_what, script, expected) => {
    const { visit } = await visitScript(script);
    expect(visit).toMatchObject({ verdict: 'loops', host: { canonicalHost: expected } });
  });
});

describe('a redirect', () => {
  const moved: Script = {
    [CONFIG]: redirect('https://clips.example/'),
    [DISCOVERY]: redirect('https://clips.example/'),
  };

  const hoursAgo = (hours: number) => VISITED_AT - hours * 3_600_000;
  /** These redirects, with the times at which they were recorded. */
  const known = (redirects: Record<string, [to: string, at: number]>): VisitContext['aliases'] => ({
    aliasOf(domain) {
      const [to, at] = redirects[domain] ?? [];
      return to === undefined || at === undefined ? null : { to: domainOf(to), at };
    },
  });

  it('to a host that redirects back is a loop, not an alias', async () => {
    const { visit } = await visitScript(moved, {
      aliases: known({ 'clips.example': ['server.example', hoursAgo(23)] }),
    });
    expect(visit).toMatchObject({ verdict: 'unidentified', reason: 'redirect-loop', aliasOf: null });
    const note = 'redirects to clips.example, which redirects back here';
    expect(visit.steps.at(-1)).toMatchObject({ code: 'redirect-elsewhere', redirectsTo: 'clips.example', note });
  });

  it('to a host that redirects to a third host, or does not redirect, is an alias', async () => {
    const third: Parameters<typeof known>[0] = { 'clips.example': ['third.example', hoursAgo(1)] };
    for (const aliases of [third, {}]) {
      const { visit } = await visitScript(moved, { aliases: known(aliases) });
      expect(visit).toMatchObject({ verdict: 'alias', aliasOf: 'clips.example' });
    }
  });

  it('to a host that redirected back more than a day ago is an alias, because that redirect may be gone', async () => {
    const { visit } = await visitScript(moved, {
      aliases: known({ 'clips.example': ['server.example', hoursAgo(25)] }),
    });
    expect(visit).toMatchObject({ verdict: 'alias', aliasOf: 'clips.example' });
  });

  /** A chain of `length` recorded redirects from clips.example to `last`. */
  const chain = (length: number, last: string) =>
    Object.fromEntries(
      ['clips.example', ...Array.from({ length: length - 1 }, (_, i) => `h${i}.example`), last].flatMap(
        (host, i, hosts) => (i < length ? [[host, [hosts[i + 1] ?? '', hoursAgo(1)] as [string, number]]] : []),
      ),
    );

  it.each([
    ['2 recorded redirects back to the visited host is unidentified', 2, 'server.example', 'unidentified'],
    ['5 recorded redirects back to the visited host is unidentified', 5, 'server.example', 'unidentified'],
    ['more recorded redirects than are followed (5) is an alias', 6, 'server.example', 'alias'],
    ['recorded redirects in a cycle without the visited host is an alias', 3, 'clips.example', 'alias'],
  ])('through %s', async (_what, length, last, verdict) => {
    expect((await visitScript(moved, { aliases: known(chain(length, last)) })).visit.verdict).toBe(verdict);
  });
});

it('a visit waits for the Crawl-delay of robots.txt, at most 5 seconds; with `robots: off` it does not wait', async () => {
  const delayed: Script = {
    '/robots.txt': { status: 200, body: 'User-agent: *\nCrawl-delay: 3\n' },
    [CONFIG]: status(404),
    [DISCOVERY]: status(404),
  };
  expect((await visitScript(delayed)).waits).toEqual([3_000, 3_000]);
  const long = { ...delayed, '/robots.txt': { status: 200, body: 'User-agent: *\nCrawl-delay: 3600\n' } };
  expect((await visitScript(long)).waits).toEqual([5_000, 5_000]);
  expect((await visitScript(delayed, { robots: 'off' })).waits).toEqual([]);
});
