import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { importSource } from '../../src/sources/import-source.ts';
import { createSource, SourceSettings } from '../../src/sources/kinds/registry.ts';
import { loopbackHttp } from './read-web.ts';
import { selectHtmlInThread } from './select-html-in-thread.ts';
import { serveList } from './servers/serve-list.ts';

async function run(answer: (response: ServerResponse) => unknown, entry: object) {
  const { url } = await serveList((_, response) => answer(response));
  const settings = SourceSettings.parse({ url, pauseSeconds: 0, ...entry });
  if (settings.type === 'crawled') throw new TypeError('A crawled source has no URL.');
  const context = {
    ...{ http: loopbackHttp(), previous: null, selectHtml: selectHtmlInThread, now: Date.now },
    signal: new AbortController().signal,
  };
  const source = createSource(settings, { allowSuffixes: ['example'] });
  const { result } = await importSource(source, { enter: () => undefined, maxReportedRefusals: 0, context });
  return { outcome: result.outcome, why: result.why?.replace(/^The source .*?:\d+\/?(?: loops)? /, '') };
}

const CHALLENGE = '<!doctype html><title>Just a moment...</title><script>window._cf_chl_opt = {}</script>';
const send =
  (status: number, body = '', headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(body);
const ask = 'ask its owner to admit the User-Agent of this crawler, or switch the source off ("enabled": false).';
const onlyBrowsers = 'answers with a challenge page (Cloudflare), which only browsers pass';

it.each([
  ['401', send(401), { type: 'json' }, `requires a sign-in or a key (status 401); ${ask}`],
  ['403', send(403), { type: 'csv' }, `refuses access (status 403); ${ask}`],
  ['403', send(403), { type: 'page' }, `refuses access (status 403); ${ask}`],
  ['a challenge with status 403', send(403, CHALLENGE), { type: 'json' }, `${onlyBrowsers}; ${ask}`],
  [
    'a challenge with status 503',
    send(503, CHALLENGE, { 'retry-after': '5' }),
    { type: 'json' },
    `${onlyBrowsers}; ${ask}`,
  ],
  [
    'a challenge named by a header',
    send(429, '', { 'cf-mitigated': 'challenge' }),
    { type: 'csv' },
    `${onlyBrowsers}; ${ask}`,
  ],
  ['a challenge instead of a list', send(200, CHALLENGE), { type: 'json' }, `${onlyBrowsers}; ${ask}`],
  ['a challenge instead of a CSV list', send(200, CHALLENGE), { type: 'csv' }, `${onlyBrowsers}; ${ask}`],
  ['a challenge instead of a page', send(200, CHALLENGE), { type: 'page' }, `${onlyBrowsers}; ${ask}`],
  [
    '403 and no key is set',
    send(403, CHALLENGE),
    { type: 'fediverse-observer' },
    `${onlyBrowsers}; request an API key from Fediverse Observer and set it as "key" of this source, or switch the source off ("enabled": false).`,
  ],
  [
    '401 and a key is set',
    send(401),
    { type: 'fediverse-observer', key: 'k' },
    'requires a sign-in or a key (status 401); check its "key" in the settings and ask Fediverse Observer to admit this crawler, or switch the source off ("enabled": false).',
  ],
  [
    '403',
    send(403),
    { type: 'fedidb' },
    'refuses access (status 403); ask the owner of FediDB for access, or switch the source off ("enabled": false).',
  ],
  [
    '401 for its peers',
    send(401),
    { type: 'mastodon-peers' },
    'does not publish its peers (status 401); name another server, or switch the source off ("enabled": false).',
  ],
])('a source that answers %s is denied, with the cure', async (_what, answer, entry, why) => {
  expect(await run(answer, entry)).toEqual({ outcome: 'denied', why });
});

it.each([
  ['404', send(404, '<title>Not found</title>')],
  ['500', send(500)],
  ['an ordinary page', send(200, '<!doctype html><title>Servers</title><p>There is no list any more.')],
])('a source that answers %s has failed', async (_what, answer) => {
  expect(await run(answer, { type: 'json' })).toMatchObject({ outcome: 'failed' });
});
