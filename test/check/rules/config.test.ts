import { describe, expect, it } from 'vitest';
import { type Evidence, FOREIGN_ORIGIN } from '../../../src/check/evidence.ts';
import { configRules } from '../../../src/check/rules/config.ts';
import type { Step } from '../../../src/model/step.ts';
import {
  discoveryOf,
  type EvidenceOverrides,
  evidenceOf,
  exchangeOf,
  healthyAnswer,
  liveApp,
  liveConfig,
  liveNodeInfo,
  noAnswers,
} from '../evidence-of.ts';
import { type Case, expectFinding, problemsOf } from '../problems-of.ts';

// Each helper makes the evidence of a server whose config answer is healthy but for one thing.
const config = (json: unknown): EvidenceOverrides => ({ answers: { config: healthyAnswer('config', { json }) } });
const body = (text: string | Uint8Array): EvidenceOverrides => ({
  answers: { config: healthyAnswer('config', { body: text }) },
});
const app = (changes: Record<string, unknown>) => config(liveConfig({ app: liveApp(changes) }));
const media = (changes: Record<string, unknown>) =>
  config(
    liveConfig({ media: { max_video_size: 40, max_video_duration: 180, allowed_video_formats: ['mp4'], ...changes } }),
  );
const status = (code: number): EvidenceOverrides => ({
  answers: { config: healthyAnswer('config', { status: code, json: { message: 'No.' } }) },
});
const headers = (changes: Record<string, string | string[] | undefined>): EvidenceOverrides => ({
  answers: { config: healthyAnswer('config', { headers: changes }) },
});
const redirect = (location: string): EvidenceOverrides => ({
  answers: { config: healthyAnswer('config', { status: 302, headers: { location }, body: '' }) },
});
const wholeDocument = JSON.stringify(liveConfig());
const webApp =
  '<!doctype html><html><head><title>Loops</title></head><body><div id="app"></div><script src="/app.js"></script></body></html>';

const responseFaults: Case[] = [
  [
    'no answer in time',
    { answers: { config: exchangeOf({ failure: 'response-timeout' }) } },
    'config-answered fail',
    /no response began/,
  ],
  [
    'a body over the limit',
    { answers: { config: exchangeOf({ failure: 'body-too-large' }) } },
    'config-answered fail',
    /exceeded the size limit/,
  ],
  [
    'an answer that drips past the time limit of the request',
    { answers: { config: exchangeOf({ failure: 'visit-timeout' }) } },
    'config-answered fail',
    /took longer than the time allowed/,
  ],
  ['a server error', status(500), 'config-answered fail', /config answers 500\./],
  ['too many requests', status(429), 'config-answered fail', /429/],
  ['no such endpoint', status(404), 'config-status fail', /404/],
  ['an endpoint that is gone', status(410), 'config-status fail', /410 Gone/],
  ['a method that is refused', status(405), 'config-status fail', /405/],
  [
    'a 2xx status other than 200',
    { answers: { config: healthyAnswer('config', { status: 203 }) } },
    'config-status warn',
    /203 instead of 200/,
  ],
  ['a redirect within the host', redirect('/api/v2/config'), 'config-redirect warn', /\/api\/v2\/config/],
  [
    'a redirect to another host',
    redirect('https://other.example/api/v1/config'),
    'config-redirect fail',
    /another host: https:\/\/other/,
  ],
  ['a redirect to plain http', redirect('http://loops.example/api/v1/config'), 'config-redirect fail', /not https/],
  ['a redirect to an invalid URL', redirect('http://['), 'config-redirect fail', /an invalid URL/],
  ['a response that requires sign-in', status(401), 'config-public fail', /401/],
  ['a firewall', status(403), 'config-public fail', /403/],
  ['the source of a PHP program', body('<?php\nrequire "x";'), 'config-json fail', /is the source of a PHP program/],
  ['the HTML page of the web app', body(webApp), 'config-json fail', /is a page of HTML/],
  ['an empty body', body(''), 'config-json fail', /is empty/],
  ['a truncated body', body(wholeDocument.slice(0, 100)), 'config-json fail', /cut off/],
  [
    'text after the JSON',
    body(`${wholeDocument}\nWarning: headers already sent`),
    'config-json fail',
    /goes on after .*Warning/,
  ],
  ['a comment before the JSON', body(`/* cached */ ${wholeDocument}`), 'config-json fail', /begins with "\/\* cached/],
  ['a trailing comma', body(wholeDocument.replace(/}$/, ',}')), 'config-json fail', /not valid JSON/],
  ['a list', body(`[${wholeDocument}]`), 'config-json fail', /not an object/],
  ['a string instead of an object', body('"loops"'), 'config-json fail', /not an object: "loops"/],
  [
    'JSON that nests too deeply',
    body(`{"a":${'['.repeat(100)}${']'.repeat(100)},${wholeDocument.slice(1)}`),
    'config-json fail',
    /more than 64 levels deep/,
  ],
  ['config wrapped in another object', config({ data: liveConfig() }), 'config-wrapper fail', /inside "data"/],
  [
    'a byte order mark',
    body(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(wholeDocument)])),
    'config-encoding warn',
    /byte order mark/,
  ],
  [
    'bytes that are not UTF-8',
    body(Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xc3, 0x28]), Buffer.from(`",${wholeDocument.slice(1)}`)])),
    'config-encoding warn',
    /not UTF-8/,
  ],
  ['duplicate keys', body(`{"fyf":false,${wholeDocument.slice(1)}`), 'config-duplicate-keys warn', /: fyf\./],
  [
    'duplicate keys that hide the software',
    body(wholeDocument.replace(/}$/, ',"app":null}')),
    'config-duplicate-keys fail',
    /: app\. .*names no software/,
  ],
  [
    'duplicate keys in a nested object',
    body(wholeDocument.replace('{"name"', '{"name":"x","name"')),
    'config-duplicate-keys warn',
    /app\.name/,
  ],
  [
    'a wrong content type',
    headers({ 'content-type': 'text/html; charset=utf-8' }),
    'config-content-type warn',
    /text\/html/,
  ],
  ['no content type', headers({ 'content-type': undefined }), 'config-content-type warn', /no content type/],
  [
    'a charset other than UTF-8',
    headers({ 'content-type': 'application/json; charset=iso-8859-1' }),
    'config-content-type warn',
    /iso-8859-1/,
  ],
  ['padding before the JSON', body(' '.repeat(100_000) + wholeDocument), 'config-size warn', /98 KiB/],
];

const softwareFaults: Case[] = [
  ['no app', config({ name: 'x' }), 'config-software fail', /no app/],
  ['an empty object', config({}), 'config-software fail', /no app/],
  [
    'an app that is a string',
    config(liveConfig({ app: 'loops' })),
    'config-software fail',
    /app is "loops" and not an object/,
  ],
  ['an app that is a list', config(liveConfig({ app: ['loops'] })), 'config-software fail', /not an object/],
  ['an app without software', app({ software: undefined }), 'config-software fail', /has no software/],
  ['software that is a list', app({ software: ['loops'] }), 'config-software fail', /\["loops"\] and not a string/],
  [
    'a software name with a capital letter',
    app({ software: 'Loops' }),
    'config-software fail',
    /"Loops", not exactly "loops"/,
  ],
  ['a software name with a trailing space', app({ software: 'loops ' }), 'config-software fail', /"loops "/],
  [
    'a software name that includes the version',
    app({ software: 'loops/1.0.0' }),
    'config-software fail',
    /"loops\/1\.0\.0"/,
  ],
  [
    'a software name that includes the owner',
    app({ software: 'joinloops/loops-server' }),
    'config-software fail',
    /joinloops/,
  ],
  [
    'a software name with an invisible character',
    app({ software: 'loops\u200b' }),
    'config-software fail',
    /not exactly/,
  ],
];

const fieldFaults: Case[] = [
  [
    'missing fields of a later release',
    {
      newestVersion: '1.0.0-beta.12',
      answers: {
        config: healthyAnswer('config', {
          json: liveConfig({ account: undefined, app: liveApp({ version: '1.0.0-beta.12' }) }),
        }),
        nodeinfo: healthyAnswer('nodeinfo', {
          json: liveNodeInfo({ software: { name: 'loops', version: '1.0.0-beta.12' } }),
        }),
      },
    },
    'config-fields-missing warn',
    /account\.max_bio_length.*1\.0\.0-beta\.12, does not have them yet/,
  ],
  ['a boolean that is null', config(liveConfig({ fyf: null })), 'config-fields-missing warn', /^Missing: fyf\.$/],
  [
    'a GIF switch that is missing under both names',
    config(liveConfig({ hasKlipy: undefined })),
    'config-fields-missing warn',
    /hasGifProvider or hasKlipy/,
  ],
  [
    'a missing media object',
    config(liveConfig({ media: undefined })),
    'config-fields-missing warn',
    /media\.max_video_size, media\.max_video_duration, media\.allowed/,
  ],
  [
    'a number sent as a string',
    media({ max_video_size: '40' }),
    'config-field-types fail',
    /media\.max_video_size: expected a whole number, found the string "40"/,
  ],
  [
    'a boolean sent as a number',
    config(liveConfig({ federation: 1 })),
    'config-field-types fail',
    /federation: expected true or false/,
  ],
  [
    'an object sent as a list',
    config(liveConfig({ media: [] })),
    'config-field-types fail',
    /media: expected an object/,
  ],
  ['a negative number', media({ max_video_duration: -1 }), 'config-field-types fail', /max_video_duration/],
  ['formats sent as one string', media({ allowed_video_formats: 'mp4' }), 'config-field-types fail', /list/],
  ['an app.url with the host localhost', app({ url: 'https://localhost' }), 'config-url fail', /not a public host/],
  ['an app.url with a private address', app({ url: 'https://192.168.0.2' }), 'config-url fail', /not a public host/],
  ['an app.url without a scheme', app({ url: 'loops.example' }), 'config-url fail', /not an absolute/],
  [
    'an app.url with another host',
    app({ url: 'https://other.example' }),
    'config-url warn',
    /another host than loops\.example/,
  ],
  ['an app.url with plain http', app({ url: 'http://loops.example' }), 'config-url warn', /plain http/],
  ['an app.url with a port', app({ url: 'https://loops.example:8443' }), 'config-url warn', /another host/],
  ['an app.url with a path', app({ url: 'https://loops.example/public' }), 'config-url warn', /something after/],
  ['an app.url with a password', app({ url: 'https://a:b@loops.example' }), 'config-url fail', /user name/],
  ['an app.url with a trailing slash', app({ url: 'https://loops.example/' }), 'config-url info', /two/],
  ['a description that is empty', app({ description: ' ' }), 'config-description info', /empty/],
  ['a filler description', app({ description: 'Lorem ipsum dolor sit amet' }), 'config-description warn', /filler/],
  ['a short description', app({ description: 'Videos' }), 'config-description info', /short/],
  [
    'characters that change the text direction',
    app({ description: 'Short videos \u202e of the harbour and its boats' }),
    'config-text warn',
    /app\.description has characters that are replaced/,
  ],
  [
    'HTML tags in the description',
    app({ description: '<b>Short</b> videos of the harbour and its boats' }),
    'config-text warn',
    /HTML tags/,
  ],
  [
    'a long registration mode',
    config(liveConfig({ registration_mode: 'x'.repeat(60) })),
    'config-text warn',
    /registration_mode is 60 characters/,
  ],
  [
    'a size in kilobytes',
    media({ max_video_size: 40_960 }),
    'config-max-video-size warn',
    /40 GB; read as kilobytes, it is 40 MB/,
  ],
  [
    'a size in bytes',
    media({ max_video_size: 41_943_040 }),
    'config-max-video-size warn',
    /read as bytes, it is 40 MB/,
  ],
  ['a video size of 0', media({ max_video_size: 0 }), 'config-max-video-size warn', /no video/],
  [
    'a duration in milliseconds',
    media({ max_video_duration: 180_000 }),
    'config-max-video-duration warn',
    /In milliseconds it would be 180 s/,
  ],
  [
    'a duration in minutes',
    media({ max_video_duration: 3 }),
    'config-max-video-duration warn',
    /In minutes it would be 180 s/,
  ],
  ['a video duration of 0', media({ max_video_duration: 0 }), 'config-max-video-duration warn', /no video/],
  [
    'formats sent as media types',
    media({ allowed_video_formats: ['video/mp4'] }),
    'config-video-formats warn',
    /"video\/mp4"/,
  ],
  [
    'formats sent as file extensions',
    media({ allowed_video_formats: ['mp4', '.mov'] }),
    'config-video-formats warn',
    /"\.mov"/,
  ],
  ['formats in capitals', media({ allowed_video_formats: ['MP4'] }), 'config-video-formats warn', /"MP4"/],
  [
    'duplicate formats',
    media({ allowed_video_formats: ['mp4', 'mp4'] }),
    'config-video-formats warn',
    /more than once/,
  ],
  ['no formats', media({ allowed_video_formats: [] }), 'config-video-formats warn', /empty/],
  ['a bio length of 0', config(liveConfig({ account: { max_bio_length: 0 } })), 'config-max-bio-length warn', /is 0/],
  [
    'a huge bio length',
    config(liveConfig({ account: { max_bio_length: 1_000_000 } })),
    'config-max-bio-length warn',
    /1000000/,
  ],
];

const headerFaults: Case[] = [
  [
    'no CORS header',
    headers({ 'access-control-allow-origin': undefined }),
    'config-cors warn',
    /no Access-Control-Allow-Origin/,
  ],
  [
    'the CORS header twice',
    headers({ 'access-control-allow-origin': '*, *' }),
    'config-cors warn',
    /more than one value/,
  ],
  [
    'CORS for one site only',
    headers({ 'access-control-allow-origin': 'https://loops.example' }),
    'config-cors warn',
    /other sites may not/,
  ],
  [
    'CORS for the requesting site only, in a cacheable response without Vary: Origin',
    headers({ 'access-control-allow-origin': 'https://client.example' }),
    'config-cors warn',
    /Vary: Origin/,
  ],
  [
    'a preflight that is refused',
    { answers: { 'config-preflight': healthyAnswer('config-preflight', { status: 405 }) } },
    'config-preflight warn',
    /405/,
  ],
  [
    'a preflight without CORS',
    {
      answers: {
        'config-preflight': healthyAnswer('config-preflight', {
          headers: { 'access-control-allow-origin': undefined },
        }),
      },
    },
    'config-preflight warn',
    /no usable Access-Control-Allow-Origin/,
  ],
  [
    'a preflight without an answer',
    { answers: { 'config-preflight': exchangeOf({ failure: 'connection-reset' }) } },
    'config-preflight warn',
    /closed before the answer was complete/,
  ],
  ['caching for days', headers({ 'cache-control': 'public, max-age=604800' }), 'config-cache warn', /168 hours/],
  ['caching for ever', headers({ 'cache-control': 'max-age=60, immutable' }), 'config-cache warn', /never changes/],
  ['an old copy', headers({ age: '200000' }), 'config-cache warn', /55 hours/],
  [
    'a late Expires',
    headers({ 'cache-control': undefined, expires: 'Sat, 08 Aug 2026 12:00:00 GMT' }),
    'config-cache warn',
    /Expires/,
  ],
  [
    'the default of Laravel',
    headers({ 'cache-control': 'no-cache, private' }),
    'config-cache info',
    /no proxy may answer from its cache/,
  ],
  [
    'a long caching time that no-store overrides',
    headers({ 'cache-control': 'no-store, max-age=604800' }),
    'config-cache info',
    /no-store/,
  ],
  [
    'a late Expires with a Cache-Control that names no time',
    headers({ 'cache-control': 'public', expires: 'Sat, 08 Aug 2026 12:00:00 GMT' }),
    'config-cache warn',
    /\(Expires\)/,
  ],
  [
    'a session cookie',
    headers({ 'set-cookie': ['XSRF-TOKEN=x; path=/', 'loops_session=y'] }),
    'config-cookies warn',
    /XSRF-TOKEN, loops_session, and caches may store/,
  ],
  ['a cookie of a proxy', headers({ 'set-cookie': ['__cf_bm=x'] }), 'config-cookies info', /__cf_bm/],
];

describe('a fault of the config response is reported by one rule, which passes on the healthy server:', () => {
  it.each(responseFaults)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('a fault of app.software is reported by one rule, which passes on the healthy server:', () => {
  it.each(softwareFaults)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('a fault of a config field is reported by one rule, which passes on the healthy server:', () => {
  it.each(fieldFaults)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('a faulty header for browsers or caches is reported by one rule, which passes on the healthy server:', () => {
  it.each(headerFaults)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('the rules of config', () => {
  const severities = (evidence: Evidence) => configRules.map((rule) => rule.judge(evidence)?.severity ?? null);

  it('find nothing on the healthy server', () => {
    expect(problemsOf(evidenceOf())).toEqual([]);
  });

  it.each([429, 503])('leave a preflight that gets %i, as any request may, to another rule', (status) => {
    const preflight = healthyAnswer('config-preflight', { status });
    expect(problemsOf(evidenceOf({ answers: { 'config-preflight': preflight } }))).toEqual([]);
  });

  it('report CORS headers that are sent twice once, although the preflight has them too', () => {
    const headers = { 'access-control-allow-origin': '*, *' };
    const config = healthyAnswer('config', { headers });
    const answers = { config, 'config-preflight': healthyAnswer('config-preflight', { headers }) };
    expect(problemsOf(evidenceOf({ answers }))).toEqual(['config-cors warn']);
  });

  it('report a refused preflight beside CORS headers that only lack Vary', () => {
    const headers = { 'access-control-allow-origin': FOREIGN_ORIGIN, 'cache-control': 'max-age=60' };
    const config = healthyAnswer('config', { headers });
    const answers = { config, 'config-preflight': healthyAnswer('config-preflight', { status: 405 }) };
    expect(problemsOf(evidenceOf({ answers }))).toEqual(['config-cors warn', 'config-preflight warn']);
  });

  it.each([400, 451])(
    'report a rule of the web server that answers %i to everything once, with how to find it',
    (status) => {
      const [config, discovery] = (['config', 'discovery'] as const).map((name) =>
        healthyAnswer(name, { status, body: '' }),
      );
      const answers = { config, discovery, nodeinfo: null, 'nodeinfo-latest': null };
      const evidence = evidenceOf({ answers });
      expect(problemsOf(evidence)).toEqual(['config-status fail']);
      const judgement = configRules.find(({ id }) => id === 'config-status')?.judge(evidence);
      expect(judgement?.detail).toMatch(/The same holds for \/\.well-known\/nodeinfo/);
      expect(judgement?.cure).toMatch(/ssl_verify_client/);
    },
  );

  it.each([
    [
      'https://no.example/robots.txt',
      /^The host redirects to no\.example, which does not work: the connection was closed/,
    ],
    [
      'https://loops.example/robots.txt',
      /^The host redirects to no\.example\. Crawlers learn no more: robots\.txt could not/,
    ],
  ])('say that the other host to which everything redirects does not work only if it failed: %s', (url, detail) => {
    const moved = exchangeOf({ status: 301, headers: { location: 'https://no.example/' } });
    const { visit } = evidenceOf();
    const steps = [{ ...(visit.steps[0] as Step), probe: 'robots', url, failure: 'connection-reset' }] as const;
    const evidence = evidenceOf({
      visit: {
        ...visit,
        verdict: 'unreachable',
        reason: 'robots-unreachable',
        via: null,
        software: null,
        facts: null,
        steps: [...steps],
      },
      answers: { config: moved, discovery: moved, nodeinfo: null, 'nodeinfo-latest': null },
    });
    const judgement = configRules.find(({ id }) => id === 'config-redirect')?.judge(evidence);
    expect(judgement?.detail).toMatch(detail);
  });

  it('do not advise to rename a server whose app.url has another public host', () => {
    const config = healthyAnswer('config', { json: liveConfig({ app: liveApp({ url: 'https://old.example' }) }) });
    const judgement = configRules.find(({ id }) => id === 'config-url')?.judge(evidenceOf({ answers: { config } }));
    expect(judgement?.cure).toMatch(/it must stay: check that name, and redirect loops\.example to it/);
  });

  it('accept the GIF switch under both names, or under only one of them', () => {
    expect(problemsOf(evidenceOf(config(liveConfig({ hasGifProvider: true }))))).toEqual([]);
    expect(problemsOf(evidenceOf(config(liveConfig({ hasKlipy: undefined, hasGifProvider: true }))))).toEqual([]);
  });

  it('warn of an empty name, and note a default one', () => {
    for (const name of ['', ' ', '\u2800']) expect(problemsOf(evidenceOf(app({ name })))).toEqual(['config-name warn']);
    for (const name of ['Loops', 'Laravel'])
      expect(problemsOf(evidenceOf(app({ name })))).toEqual(['config-name info', 'agreement-name info']);
  });

  it('accept line breaks in a description', () => {
    expect(problemsOf(evidenceOf(app({ description: 'Short videos by the people\nof the harbour.' })))).toEqual([]);
  });

  it('has no fault when a text has fewer characters than are shown, but more UTF-16 units', () => {
    expect(problemsOf(evidenceOf(app({ description: '🎬'.repeat(1_500) })))).toEqual([]);
  });

  it('report nothing on a server of other software', () => {
    const mastodon = healthyAnswer('nodeinfo', { json: { software: { name: 'mastodon', version: '4.4.0' } } });
    const evidence = evidenceOf({
      answers: { config: healthyAnswer('config', { status: 404 }), nodeinfo: mastodon, 'nodeinfo-latest': null },
    });
    expect(severities(evidence).filter((severity) => severity !== null)).toEqual([]);
  });

  it('report nothing on a server that names other software only in another version of NodeInfo', () => {
    const json = { version: '2.1', software: { name: 'mastodon', version: '4.4.0' } };
    const evidence = evidenceOf({
      answers: {
        config: healthyAnswer('config', { status: 404 }),
        discovery: healthyAnswer('discovery', { json: discoveryOf('2.1') }),
        nodeinfo: null,
        'nodeinfo-latest': healthyAnswer('nodeinfo-latest', { json }),
      },
    });
    expect(problemsOf(evidence)).toEqual(['nodeinfo-rel fail']);
  });

  it('report nothing but the name of other software that has a config like that of Loops', () => {
    const relay = { software: { name: 'loops-relay', version: '1.0.0' }, protocols: ['activitypub'] };
    const evidence = evidenceOf({
      answers: {
        config: healthyAnswer('config', { json: { app: { software: 'loops-relay' } } }),
        nodeinfo: healthyAnswer('nodeinfo', {
          json: {
            ...relay,
            version: '2.0',
            services: { inbound: [], outbound: [] },
            openRegistrations: false,
            usage: { users: { total: 1, activeMonth: 1, activeHalfyear: 1 }, localPosts: 1 },
            metadata: {},
          },
        }),
      },
    });
    expect(problemsOf(evidence)).toEqual(['config-software info']);
  });

  it('report once that a host is completely down', () => {
    const down = exchangeOf({ status: 502 });
    const evidence = evidenceOf({
      answers: { ...noAnswers(), home: down, robots: down, config: down, discovery: down },
    });
    expect(problemsOf(evidence)).toEqual(['config-answered fail']);
    expect(configRules.find(({ id }) => id === 'config-answered')?.judge(evidence)?.detail).toMatch(
      /No request to the application works.*answers 502/,
    );
  });

  it('leave DNS, connections and TLS to their own rules', () => {
    for (const failure of ['dns-nxdomain', 'connect-refused', 'tls-expired'] as const) {
      const dead = exchangeOf({ failure });
      expect(
        problemsOf(evidenceOf({ answers: { ...noAnswers(), robots: dead, config: dead, discovery: dead } })),
      ).toEqual([]);
    }
  });

  it('report a rate limit during identification, after which nothing was requested', () => {
    const { visit } = evidenceOf({ answers: { config: healthyAnswer('config', { status: 429 }) } });
    const evidence = evidenceOf({ visit, answers: noAnswers() });
    expect(problemsOf(evidence)).toEqual(['config-answered fail']);
  });

  it('report nothing when a proxy sends a challenge, which another rule reports', () => {
    const challenge = healthyAnswer('config', {
      status: 403,
      headers: { 'cf-mitigated': 'challenge' },
      body: '<html></html>',
    });
    const evidence = evidenceOf({ answers: { config: challenge, discovery: challenge, nodeinfo: null } });
    expect(severities(evidence).filter((severity) => severity !== null)).toEqual([]);
  });

  it('show no text from a server that could disturb a terminal', () => {
    const hostile = `\u001b[31m\u202e${'x'.repeat(5_000)}`;
    const evidence = evidenceOf(
      config(
        liveConfig({ app: liveApp({ url: hostile, name: hostile, software: `loops${hostile}` }), federation: hostile }),
      ),
    );
    for (const rule of configRules) {
      const judgement = rule.judge(evidence);
      expect(judgement?.detail ?? '').not.toMatch(/[\p{Cc}\u202e]/u);
      expect((judgement?.detail ?? '').length).toBeLessThan(1_000);
    }
  });
});
