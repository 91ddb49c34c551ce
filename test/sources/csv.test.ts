import { expect, it } from 'vitest';
import { readWeb } from './read-web.ts';
import { serveList } from './servers/serve-list.ts';

const serve = (body: string, headers: Record<string, string> = {}) =>
  serveList(({ headers: sent }, response) => {
    if (sent['if-none-match'] === '"1"') response.writeHead(304).end();
    else response.writeHead(200, { 'content-type': 'text/csv', ...headers }).end(body);
  });
const read = (url: string, settings = {}, context = {}) => readWeb({ type: 'csv', url, ...settings }, context);

it.each([
  ['domain', 'users,Domain\n5,a.example\n'],
  ['host', 'host,server\na.example,nginx\n'],
  ['hostname', '"hostname","state"\n"a.example","up"\n'],
  ['url', 'name,url\nLoops,https://a.example/\n'],
  ['the first without a header', 'a.example,up\n'],
  ['the only one of a text list', '# servers\na.example\n'],
])('reads the column %s', async (_column, body) => {
  const { url } = await serve(body);
  expect(await read(url)).toMatchObject({ domains: ['a.example'], end: { outcome: 'complete' } });
});

it('reads the configured columns of the domain and the software', async () => {
  const { url } = await serve('domain,site,kind\nx,a.example, Loops \ny,b.example,\nz,c.example,Mastodon\n');
  const settings = { key: 'site', softwareKey: 'kind', software: 'loops' };
  expect((await read(url, settings)).domains).toEqual(['a.example loops', 'b.example loops', 'c.example mastodon']);
});

it('requests an unchanged list conditionally', async () => {
  const server = await serve('a.example\n', { etag: '"1"' });
  const { end } = await read(server.url);
  expect(end).toMatchObject({ outcome: 'complete', etag: '"1"' });
  expect((await read(server.url, {}, { previous: end })).end).toMatchObject({ outcome: 'unchanged', etag: '"1"' });
});

it('is partial when its Link header announces another page', async () => {
  const { url } = await serve('a.example\n', { link: '<?page=2>; rel=next' });
  expect((await read(url)).end).toMatchObject({ outcome: 'partial', why: expect.stringContaining('another page') });
});

it('is partial when it ends early, and keeps what was read', async () => {
  const { url } = await serve(`a.example\n${'x'.repeat(5_000)}\n`);
  const { domains, end } = await read(url, { maxBytes: 1_024 });
  expect([domains, end.outcome, end.why]).toEqual([
    ['a.example'],
    'partial',
    'ends early: it is longer than 1024 bytes',
  ]);
});

it('fails with the names of the columns when none is known', async () => {
  const { url } = await serve('server name,state\nLoops,up\n');
  await expect(read(url)).rejects.toThrow(
    'has no column "domain", "host", "hostname", "instance", "server", "url" among "server name", "state"; set "key"',
  );
});
