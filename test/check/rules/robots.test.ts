import { describe, expect, it } from 'vitest';
import { robotsConfig } from '../../../src/check/rules/robots.ts';
import { unreachable } from '../../../src/identify/decision.ts';
import type { Step } from '../../../src/model/step.ts';
import {
  discoveryOf,
  type EvidenceOverrides,
  evidenceOf,
  exchangeOf,
  healthyAnswer,
  RECOMMENDED_ROBOTS,
} from '../evidence-of.ts';
import { type Case, expectFinding, problemsOf } from '../problems-of.ts';

// Each helper makes the evidence of a server that is healthy but for one thing.
const text = (body: string | Uint8Array): EvidenceOverrides => ({
  answers: { robots: healthyAnswer('robots', { body }) },
});
const status = (code: number, location?: string): EvidenceOverrides => ({
  answers: {
    robots: healthyAnswer('robots', {
      status: code,
      body: '',
      ...(location === undefined ? {} : { headers: { location } }),
    }),
  },
});
/** A redirect at whose target the visit ended. */
const redirectThatEndsWith = (result: Pick<Step, 'status' | 'failure'>): EvidenceOverrides => ({
  ...status(302, 'https://no.example/robots.txt'),
  visit: {
    ...evidenceOf().visit,
    ...unreachable('robots-unreachable'),
    steps: [{ probe: 'robots', url: 'https://no.example/robots.txt', ms: 9, bytes: 0, ...result }],
  },
});
const noindex = (name: 'config' | 'discovery' | 'nodeinfo' | 'home', header: string): EvidenceOverrides => ({
  answers: { [name]: healthyAnswer(name, { headers: { 'x-robots-tag': header } }) },
});
/** The file of live Loops servers. */
const liveRobots = RECOMMENDED_ROBOTS.replace('Allow: /api/v1/config\n', '');

const cases: Case[] = [
  ['a server error', status(503), 'robots-available fail', /503/],
  ['too many requests', status(429), 'robots-available fail', /429/],
  [
    'no response',
    { answers: { robots: exchangeOf({ failure: 'response-timeout' }) } },
    'robots-available fail',
    /no response began/,
  ],
  ['a response that requires sign-in', status(401), 'robots-available info', /401/],
  ['a redirect within the host', status(301, '/robots'), 'robots-redirect info', /\/robots/],
  [
    'a redirect to another host',
    status(302, 'https://www.loops.example/robots.txt'),
    'robots-redirect warn',
    /www\.loops\.example/,
  ],
  [
    'a redirect to a host that does not exist',
    redirectThatEndsWith({ status: null, failure: 'dns-nxdomain' }),
    'robots-redirect fail',
    /and then cannot be fetched: the name does not exist in the DNS\. Crawlers/,
  ],
  [
    'a redirect to a server error',
    redirectThatEndsWith({ status: 500, failure: null }),
    'robots-redirect fail',
    /the answer is 500\. Crawlers/,
  ],
  ['a redirect to plain http', status(302, 'http://loops.example/robots.txt'), 'robots-redirect fail', /not https/],
  ['a redirect without a target', status(302), 'robots-redirect fail', /without a valid target/],
  [
    'an HTML page',
    text('<!DOCTYPE html><html><body><div id="app"></div></body></html>'),
    'robots-text warn',
    /an HTML page/,
  ],
  [
    'an unusual content type',
    { answers: { robots: healthyAnswer('robots', { headers: { 'content-type': 'application/octet-stream' } }) } },
    'robots-text info',
    /octet-stream/,
  ],
  [
    'a file of 615 KiB',
    text(RECOMMENDED_ROBOTS + `Disallow: /${'private/'.repeat(120)}\n`.repeat(650)),
    'robots-too-long warn',
    /512 KiB/,
  ],
  [
    'a file of 502 KiB',
    text(RECOMMENDED_ROBOTS + `#${'x'.repeat(998)}\n`.repeat(513)),
    'robots-too-long warn',
    /502 KiB/,
  ],
  ['a rule before its group', text(`Allow: /\n${RECOMMENDED_ROBOTS}`), 'robots-syntax warn', /line 1, a rule before/],
  [
    'a line without a colon',
    text(`${RECOMMENDED_ROBOTS}Disallow /x\n`),
    'robots-syntax warn',
    /line 11, "Disallow \/x"/,
  ],
  ['a misspelt name', text(`${RECOMMENDED_ROBOTS}Dissallow: /x\n`), 'robots-syntax warn', /line 11, "Dissallow: \/x"/],
  [
    'a path without a slash',
    text(`${RECOMMENDED_ROBOTS}Disallow: admin\n`),
    'robots-syntax warn',
    /"admin" without a slash/,
  ],
  ['the file of live servers', text(liveRobots), 'robots-config info', /Disallow: \/api\//],
  [
    'a file that forbids NodeInfo',
    text('User-agent: *\nDisallow: /nodeinfo\n'),
    'robots-nodeinfo warn',
    /forbids \/nodeinfo\/2\.0\. Config still/,
  ],
  [
    'a group for Loopscout that forbids',
    text(`${RECOMMENDED_ROBOTS}\nUser-agent: Loopscout\nDisallow: /\n`),
    'robots-names-loopscout fail',
    /forbids it \/api\/v1\/config, \/\.well-known\/nodeinfo/,
  ],
  [
    'a group for Loopscout that forbids the site and allows the documents',
    text(
      `${RECOMMENDED_ROBOTS}\nUser-agent: Loopscout\nDisallow: /\nAllow: /api/v1/config\nAllow: /.well-known/nodeinfo\nAllow: /nodeinfo/2.0\n`,
    ),
    'robots-names-loopscout fail',
    /forbids it \/, so the server is not listed/,
  ],
  [
    'a group for Loopscout that allows',
    text(`${RECOMMENDED_ROBOTS}\nUser-agent: loopscout\nAllow: /\n`),
    'robots-names-loopscout info',
    /allows every path/,
  ],
  [
    'a list of AI crawlers',
    text(`${RECOMMENDED_ROBOTS}\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n`),
    'robots-crawlers info',
    /AI crawlers: GPTBot, CCBot/,
  ],
  [
    'a group that refuses a directory',
    text(`${RECOMMENDED_ROBOTS}\nUser-agent: FediDB\nDisallow: /\n`),
    'robots-crawlers info',
    /directories and tools of the fediverse: FediDB/,
  ],
  ['a long Crawl-delay', text(`${RECOMMENDED_ROBOTS}Crawl-delay: 500\n`), 'robots-crawl-delay info', /500 s/],
  ['noindex on config', noindex('config', 'noindex'), 'robots-noindex fail', /X-Robots-Tag of config asks/],
  [
    'noindex on NodeInfo for Loopscout',
    noindex('nodeinfo', 'loopscout: none'),
    'robots-noindex fail',
    /X-Robots-Tag of nodeinfo asks/,
  ],
  ['noindex on the home page', noindex('home', 'noindex, nofollow'), 'robots-noindex info', /home page/],
];

describe('a fault of robots.txt is reported by one rule, which passes on the healthy server:', () => {
  it.each(cases)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('the rules of robots.txt', () => {
  it('accept a missing or empty file', () => {
    expect(problemsOf(evidenceOf(status(404)))).toEqual([]);
    expect(problemsOf(evidenceOf(text('')))).toEqual([]);
  });

  it('accept a file of up to 500 KiB, whatever its rules', () => {
    const rules = `Disallow: /${'private/'.repeat(120)}\n`.repeat(500);
    expect(problemsOf(evidenceOf(text(RECOMMENDED_ROBOTS + rules)))).toEqual([]);
    const length = 500 * 1_024 - RECOMMENDED_ROBOTS.length;
    expect(problemsOf(evidenceOf(text(`${RECOMMENDED_ROBOTS}#${'x'.repeat(length - 1)}`)))).toEqual([]);
    expect(problemsOf(evidenceOf(text(`${RECOMMENDED_ROBOTS}#${'x'.repeat(length)}`)))).toEqual([
      'robots-too-long warn',
    ]);
  });

  it('accept noindex for another crawler, and a short Crawl-delay', () => {
    expect(problemsOf(evidenceOf(noindex('config', 'googlebot: noindex')))).toEqual([]);
    expect(problemsOf(evidenceOf(text(`${RECOMMENDED_ROBOTS}Crawl-delay: 2\n`)))).toEqual([]);
  });

  it('accept the file of live servers once the line of the cure is added', () => {
    expect(problemsOf(evidenceOf(text(liveRobots)))).toEqual(['robots-config info']);
    const line = /^ {4}(.*)$/m.exec(robotsConfig.cure)?.[1];
    expect(line).toBe('Allow: /api/v1/config');
    expect(problemsOf(evidenceOf(text(`${liveRobots}${line}\n`)))).toEqual([]);
  });

  it('report a failure for a file that forbids NodeInfo when config identifies nothing', () => {
    const evidence = evidenceOf({
      answers: {
        robots: healthyAnswer('robots', { body: 'User-agent: *\nDisallow: /.well-known/\nDisallow: /nodeinfo\n' }),
        config: healthyAnswer('config', { status: 404, body: '' }),
      },
    });
    expect(problemsOf(evidence)).toEqual(['robots-nodeinfo fail', 'config-status fail']);
  });

  it('do not say that config identifies the software when config does not name it', () => {
    const evidence = evidenceOf({
      answers: {
        robots: healthyAnswer('robots', { body: 'User-agent: *\nDisallow: /nodeinfo\n' }),
        config: healthyAnswer('config', { json: { app: {} } }),
      },
    });
    expect(problemsOf(evidence)).toContain('robots-nodeinfo fail');
  });

  it('ignore noindex on another host, as a visit does', () => {
    const nodeinfo = healthyAnswer('nodeinfo', {
      url: 'https://other.example/2.0',
      headers: { 'x-robots-tag': 'none' },
    });
    expect(problemsOf(evidenceOf({ answers: { nodeinfo } }))).not.toContain('robots-noindex fail');
  });

  it('judge the NodeInfo URL that discovery advertises', () => {
    const json = discoveryOf({
      rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0',
      href: 'https://loops.example/api/nodeinfo',
    });
    const evidence = evidenceOf({ answers: { discovery: healthyAnswer('discovery', { json }) } });
    expect(problemsOf(evidence)).toEqual(['robots-nodeinfo warn']);
  });
});
