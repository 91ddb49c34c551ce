import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createReferenceServer, type FaultRule } from '../../../src/reference/index.ts';

const readme = readFileSync(new URL('../../../src/reference/README.md', import.meta.url), 'utf8');
const start = readme.indexOf('| on real servers | rule |');
const table = readme.slice(start, readme.indexOf('\n\n', start));
const ruleOf = (situation: string): FaultRule => {
  const [, json = ''] = new RegExp(`^\\| ${situation} \\| \`(.*)\` \\|$`, 'm').exec(table) ?? [];
  return JSON.parse(json);
};

/** What a client meets, for each row of the table of the README. */
const situations: [situation: string, met: (ask: Ask) => Promise<void>][] = [
  [
    'the author of a video is gone',
    async (ask) => {
      const { status, body } = await ask(videoPath);
      expect([status, body.data.account, typeof body.data.media.src_url]).toEqual([200, [], 'string']);
      expect((await ask('/api/v1/video/1')).status).toBe(404);
    },
  ],
  [
    'a video that is still processed has no source',
    async (ask) => {
      const { data } = (await ask(videoPath)).body;
      expect([data.media.src_url, typeof data.media.thumbnail]).toEqual([null, 'string']);
    },
  ],
  [
    'comments are off, and the video says that one can comment',
    async (ask) => {
      const { data } = (await ask(videoPath)).body;
      expect([data.permissions.can_comment, data.comments]).toEqual([true, 0]);
    },
  ],
  [
    'programs are refused, browsers are not',
    async (ask) => {
      const refused = await ask('/api/v1/config', 'my-client/1.0');
      expect([refused.status, refused.type]).toEqual([403, 'text/html']);
      expect((await ask('/nodeinfo/2.0', '')).status).toBe(403);
      const browser = await ask(
        '/api/v1/config',
        'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      );
      expect([browser.status, browser.body.app.software]).toEqual([200, 'loops']);
    },
  ],
  [
    'without the keys of OAuth, config fails, and NodeInfo works',
    async (ask) => {
      const statuses = [await ask('/api/v1/config'), await ask('/api/v1/config'), await ask('/nodeinfo/2.0')];
      expect(statuses.map(({ status }) => status)).toEqual([500, 500, 200]);
    },
  ],
  [
    'after `cache:clear`, config fails once',
    async (ask) => {
      const [first, second] = [await ask('/api/v1/config'), await ask('/api/v1/config')];
      expect([first.status, first.body, second.status]).toEqual([500, { message: 'Server Error' }, 200]);
    },
  ],
];

// biome-ignore lint/suspicious/noExplicitAny: documents of tests
type Ask = (path: string, userAgent?: string) => Promise<{ status: number; type: string | null; body: any }>;
const videoPath = '/api/v1/video/first';

describe('the table of real servers in the README', () => {
  it('has exactly these situations', () => {
    const rows = [...table.matchAll(/^\| ([^|]+) \| `\{/gm)].map(([, situation]) => situation);
    expect(rows).toEqual(situations.map(([situation]) => situation));
  });

  it.each(situations)('%s', async (situation, met) => {
    await using server = await createReferenceServer({ profile: 'live', faults: [ruleOf(situation)] });
    const id = server.state.data.videos.all()[0]?.id ?? '';
    await met(async (path, userAgent = 'a test') => {
      const headers = { 'user-agent': userAgent };
      const answer = await fetch(`${server.url}${path === videoPath ? `/api/v1/video/${id}` : path}`, { headers });
      const text = await answer.text();
      const type = answer.headers.get('content-type');
      return { status: answer.status, type, body: type?.includes('json') ? JSON.parse(text) : text };
    });
  });
});
