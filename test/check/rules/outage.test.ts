import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/check/check.ts';
import type { RequestName } from '../../../src/check/evidence.ts';
import { RULES } from '../../../src/check/rules.ts';
import { type Answers, type EvidenceOverrides, evidenceOf, exchangeOf, healthyAnswer } from '../evidence-of.ts';

/** Requests that the application answers. robots.txt is a file. */
const APPLICATION_REQUESTS = [
  'home',
  'config',
  'discovery',
  'nodeinfo',
  'webfinger',
  'actor',
  'unknown-page',
  'token',
  'apps',
] as const;
const url = (name: RequestName) => healthyAnswer(name).url;

/** The same answer to all these requests, by default to those that the application answers. */
const everywhere = (
  answer: Parameters<typeof exchangeOf>[0],
  names: readonly RequestName[] = APPLICATION_REQUESTS,
): Answers => Object.fromEntries(names.map((name) => [name, exchangeOf({ url: url(name), ...answer })]));

/** The warnings and failures, in report order. */
function findProblems(overrides: EvidenceOverrides) {
  return judge(RULES, evidenceOf(overrides)).filter(({ severity }) => severity === 'warn' || severity === 'fail');
}

describe('a server whose application is down while robots.txt is served', () => {
  it.each([
    ['502', { status: 502 }, /gets no answer from PHP.*systemctl status 'php/s],
    ['503', { status: 503 }, /maintenance mode.*php artisan up/s],
    ['500', { status: 500 }, /storage\/logs\/laravel\.log/],
    ['504', { status: 504 }, /workers are busy/],
    ['522', { status: 522 }, /an error of Cloudflare/],
    ['no response', { failure: 'response-timeout' }, /workers are busy/],
    ['a slow body', { failure: 'body-timeout' }, /workers are busy/],
    ['a closed connection', { failure: 'connection-reset' }, /dmesg/],
    ['invalid HTTP', { failure: 'invalid-http' }, /not valid HTTP/],
  ] as const)('is reported once, with the cure for %s', (_title, answer, cure) => {
    const found = findProblems({ answers: everywhere(answer) });
    expect(found.map(({ id }) => id)).toEqual(['config-answered']);
    expect(found[0]).toMatchObject({ severity: 'fail', cure: expect.stringMatching(cure) });
    expect(found[0]?.detail).toMatch(/^No request to the application works\..*robots\.txt is answered\.$/);
    expect(found[0]?.cure).not.toContain('begin with a dot');
  });

  it('is distinguished from one on which only config fails', () => {
    const [first] = findProblems({ answers: { config: healthyAnswer('config', { status: 502 }) } });
    expect(first).toMatchObject({ id: 'config-answered', detail: '/api/v1/config answers 502.' });
  });

  it('is reported once when config and discovery fail in the same way', () => {
    const found = findProblems({ answers: everywhere({ failure: 'connection-reset' }, ['config', 'discovery']) });
    expect(found.map(({ id }) => id)).toEqual(['config-answered']);
    expect(found[0]?.detail).toMatch(/\/\.well-known\/nodeinfo fails as well/);
  });
});

describe('a rate limit', () => {
  it.each(['robots', 'config', 'discovery'] as const)(
    'on %s is reported with the time of the next try and the likely cause',
    (name) => {
      const found = findProblems({
        answers: { [name]: healthyAnswer(name, { status: 429, body: '', headers: { 'retry-after': '90' } }) },
      });
      expect(found[0]?.detail).toMatch(/429.*This check, and other requests.*Try again in 90 s/);
      expect(found[0]?.cure).toMatch(/LOOPS_API_RATE_LIMITS_GUEST_PER_MIN=\d+\n.*_PER_HOUR=\d+\n/);
      expect(found[0]?.cure).not.toContain('location = /api/v1/config');
    },
  );
});

describe('a single cause', () => {
  it('is reported once when the host and its `www.` name have the same fault', () => {
    const { tls } = evidenceOf();
    const handshakes = (tls?.handshakes ?? []).map((each) => ({ ...each, failure: 'tls-expired' as const }));
    const unanswered = exchangeOf({ failure: 'tls-expired' });
    const found = findProblems({
      tls: { handshakes, speaksOldTls: false },
      answers: {
        ...Object.fromEntries(Object.keys(evidenceOf().answers).map((name) => [name, null])),
        'home-www': { ...unanswered, url: 'https://www.loops.example/' },
      },
    });
    expect(found.map(({ id }) => id)).toEqual(['tls-expiry']);
  });

  it('is never a failed look-up of the `www.` name: http-www passes or reports nothing', () => {
    const rule = RULES.find(({ id }) => id === 'http-www');
    const judged = (failure: 'dns-nxdomain' | 'dns-timeout') =>
      rule?.judge(evidenceOf({ answers: { 'home-www': exchangeOf({ url: 'https://www.loops.example/', failure }) } }));
    expect(judged('dns-nxdomain')).toMatchObject({ severity: 'pass' });
    expect(judged('dns-timeout')).toBeNull();
  });

  it('is NodeInfo when NodeInfo is broken and config is missing', () => {
    const found = findProblems({
      answers: {
        config: healthyAnswer('config', { status: 404, body: '' }),
        discovery: healthyAnswer('discovery', { json: { links: [] } }),
        nodeinfo: null,
        'nodeinfo-latest': null,
      },
    });
    expect(found.find(({ severity }) => severity === 'fail')?.id).toBe('nodeinfo-links');
    expect(found.find(({ id }) => id === 'config-status')).toMatchObject({ severity: 'warn' });
  });

  it('is the default page that replaces the whole server', () => {
    const body = '<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1>';
    const page = { body, headers: { 'content-type': 'text/html' } };
    const found = findProblems({
      answers: everywhere(page, ['home', 'config', 'discovery', 'robots', 'unknown-page']),
    });
    expect(found.filter(({ severity }) => severity === 'fail').map(({ id }) => id)).toEqual(['http-home']);
  });
});

it('other software gets no cure that is specific to Loops', () => {
  const json = { version: '2.0', software: { name: 'mastodon', version: '4.4.0' }, protocols: ['activitypub'] };
  const found = findProblems({
    answers: {
      config: healthyAnswer('config', { status: 404, body: '' }),
      home: healthyAnswer('home', { status: 404 }),
      nodeinfo: healthyAnswer('nodeinfo', { json, headers: { 'content-type': 'text/plain' } }),
    },
  });
  expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(['http-home', 'nodeinfo-content-type']));
  for (const { cure } of found) expect(cure).not.toMatch(/artisan|index\.php|Loops sends/);
});

it('the cure for a robots.txt that forbids everything changes that file', () => {
  const robots = healthyAnswer('robots', { body: 'User-agent: *\nDisallow: /\n' });
  const found = findProblems({ answers: { robots } }).find(({ id }) => id === 'robots-config');
  expect(found?.detail).toMatch(/forbids the whole server/);
  expect(found?.cure).toMatch(/remove the line/);
});

/** The kind of file or shell that a line to paste is for. */
function kindOf(line: string): string {
  if (/^[A-Z][A-Z_]+=/.test(line)) return '.env';
  if (/^(?:User-agent|Allow|Disallow|Crawl-delay):/.test(line)) return 'robots.txt';
  if (/^(?:\* ){5}/.test(line)) return 'crontab';
  if (/^[\w.-]+\.\s+(?:\d+\s+)?IN\s/.test(line)) return 'zone';
  if (
    /^(?:sudo|php|tail|grep|ls|curl|certbot|openssl|dig|systemctl|rm|ss|ufw|git|dmesg|composer|cat|cd|chown|timedatectl|journalctl|redis-cli|find|mv|cp|truncate|iconv|df|free|nginx) /.test(
      line,
    )
  )
    return 'shell';
  return 'a file of settings';
}

it.each(RULES.map((rule) => [rule.id, rule.cure]))(
  'each block to paste is for one kind of file or shell: %s',
  (_id, cure) => {
    // A block to paste ends before the next line that is not indented.
    for (const block of cure.split(/\n(?! {4})/)) {
      const lines = block.split('\n').filter((line) => line.startsWith('    '));
      expect([...new Set(lines.map((line) => kindOf(line.trim())))].length, block).toBeLessThanOrEqual(1);
    }
  },
);

describe('a fault of the whole API', () => {
  const api: readonly RequestName[] = ['unknown-api-route', 'self-without-token', 'unknown-video', 'apps'];
  const elsewhere = { status: 301, headers: { location: 'https://www.loops.example/api/' }, body: '' };
  it.each([
    ['a redirect', 'config-redirect', elsewhere, elsewhere],
    ['a refusal', 'config-public', { status: 403, body: '<html>' }, { status: 403, body: '<html>' }],
    [
      'an encoding that is not true',
      'config-answered',
      { failure: 'invalid-encoding' },
      { status: 404, headers: { 'content-encoding': 'gzip' }, body: '' },
    ],
    ['PHP programs that are not run', 'config-json', { status: 200, body: '<?php' }, { status: 200, body: '<?php' }],
  ] as const)(
    '%s is reported by %s, and at most once more, by the path that does not exist',
    (_title, id, config, rest) => {
      const found = findProblems({ answers: { ...everywhere(config, ['config']), ...everywhere(rest, api) } });
      expect(found.map((finding) => finding.id).filter((each) => each !== 'api-unknown-route')).toEqual([id]);
    },
  );

  it('is not one of a single answer whose encoding is not true, which is named', () => {
    const unread = healthyAnswer('self-without-token', {
      status: 401,
      headers: { 'content-encoding': 'gzip' },
      body: '',
    });
    const found = findProblems({ answers: { 'self-without-token': unread } });
    expect(found.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/401 Unauthorized without a readable body/),
    ]);
  });

  it.each([
    ['data for everyone', 'self-without-token', { status: 200, json: { id: '1' } }, 'api-self'],
    ['a password', 'apps', { method: 'POST', status: 401, body: '<html>' }, 'oauth-apps'],
  ] as const)('hides no other fault: %s', (_title, name, answer, id) => {
    const page = { status: 200, body: '<html>' };
    const answers = { ...everywhere(page, ['unknown-api-route', 'unknown-video']), ...everywhere(answer, [name]) };
    const found = findProblems({ answers }).map((finding) => finding.id);
    expect(found.toSorted()).toEqual([id, 'api-unknown-route'].toSorted());
  });
});
