import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/check/evidence.ts';
import { nodeinfoRules } from '../../../src/check/rules/nodeinfo.ts';
import {
  discoveryOf,
  type EvidenceOverrides,
  evidenceOf,
  exchangeOf,
  healthyAnswer,
  liveApp,
  liveConfig,
  liveNodeInfo,
  NODEINFO_SCHEMA,
} from '../evidence-of.ts';
import { type Case, expectFinding, problemsOf } from '../problems-of.ts';

const REL = `${NODEINFO_SCHEMA}/2.0`;
const noDocuments = { nodeinfo: null, 'nodeinfo-latest': null };
/** A discovery answer that leads to no document. */
const withoutDocument = (changes: Parameters<typeof healthyAnswer>[1]): EvidenceOverrides => ({
  answers: { discovery: healthyAnswer('discovery', changes), ...noDocuments },
});
/** Discovery with these links, which lead to no document. */
const links = (...entries: unknown[]): EvidenceOverrides => withoutDocument({ json: { links: entries } });
/** Discovery with one link for 2.0, whose href leads to no document. */
const href = (value: unknown) => links({ rel: REL, href: value });
/** A faulty discovery answer that still leads to the document. */
const withDocument = (json: unknown): EvidenceOverrides => ({
  answers: { discovery: healthyAnswer('discovery', { json }) },
});
/** Discovery whose href for 2.0 is unusual, but leads to the document. */
const withDocumentAt = (value: string) => withDocument(discoveryOf({ rel: REL, href: value }));
/** A NodeInfo document with these changes of its top-level keys. */
const nodeinfoWith = (changes: Record<string, unknown>): EvidenceOverrides => ({
  answers: { nodeinfo: healthyAnswer('nodeinfo', { json: liveNodeInfo(changes) }) },
});
/** A NodeInfo answer with these changes. */
const nodeinfoAnswer = (changes: Parameters<typeof healthyAnswer>[1]): EvidenceOverrides => ({
  answers: { nodeinfo: healthyAnswer('nodeinfo', changes) },
});
const usersAndPosts = (counts: Record<string, unknown>, localPosts: unknown = 1_830) =>
  nodeinfoWith({ usage: { users: { total: 214, activeHalfyear: 120, activeMonth: 61, ...counts }, localPosts } });
const wholeDocument = JSON.stringify(liveNodeInfo());
const workingLink = { rel: REL, href: 'https://loops.example/nodeinfo/2.0' };

const discovery: Case[] = [
  [
    'no discovery',
    withoutDocument({ status: 404, json: { message: 'Not Found.' } }),
    'nodeinfo-discovery fail',
    /answers 404 as JSON, although config says that federation is on/,
  ],
  ['a web server rule against dotfiles', withoutDocument({ status: 403, body: '' }), 'nodeinfo-discovery fail', /403/],
  ['a server error', withoutDocument({ status: 500, body: '' }), 'nodeinfo-discovery fail', /500/],
  [
    'no response',
    { answers: { discovery: exchangeOf({ failure: 'response-timeout' }), ...noDocuments } },
    'nodeinfo-discovery fail',
    /no response began/,
  ],
  [
    'a redirect to another host',
    withoutDocument({ status: 302, headers: { location: 'https://other.example/' }, body: '' }),
    'nodeinfo-discovery fail',
    /other\.example/,
  ],
  [
    'a redirect within the host',
    withoutDocument({ status: 302, headers: { location: '/nodeinfo' }, body: '' }),
    'nodeinfo-discovery info',
    /redirects to \/nodeinfo/,
  ],
  [
    'an HTML page',
    withoutDocument({ body: '<!doctype html><div id="app"></div>' }),
    'nodeinfo-discovery-json fail',
    /HTML/,
  ],
  ['a list', withoutDocument({ json: [workingLink] }), 'nodeinfo-discovery-json fail', /not an object/],
  ['an empty list of links', links(), 'nodeinfo-links fail', /empty list/],
  ['links that are an object', withDocument({ links: workingLink }), 'nodeinfo-links fail', /an object, not a list/],
  ['links as a keyed object', withDocument({ links: { 0: workingLink } }), 'nodeinfo-links fail', /an object/],
  ['links that are a string', withoutDocument({ json: { links: 'x' } }), 'nodeinfo-links fail', /"x"/],
  [
    'the NodeInfo document instead of discovery',
    withoutDocument({ json: liveNodeInfo() }),
    'nodeinfo-links fail',
    /document itself/,
  ],
  [
    'a key Links with a capital letter',
    withoutDocument({ json: { Links: [workingLink] } }),
    'nodeinfo-links fail',
    /no links, only Links/,
  ],
  ['an empty document', withoutDocument({ json: {} }), 'nodeinfo-links fail', /empty/],
  [
    'a link to 2.1 only',
    links({ rel: `${NODEINFO_SCHEMA}/2.1`, href: 'https://loops.example/nodeinfo/2.1' }),
    'nodeinfo-rel fail',
    /offers NodeInfo 2\.1, but not 2\.0/,
  ],
  [
    'a rel with a trailing slash',
    links({ rel: `${REL}/`, href: workingLink.href }),
    'nodeinfo-rel fail',
    /No rel ends/,
  ],
  ['keys in upper case', links({ Rel: REL, Href: workingLink.href }), 'nodeinfo-rel fail', /case-sensitive/],
  [
    'a rel with https',
    withDocument(discoveryOf({ ...workingLink, rel: REL.replace('http:', 'https:') })),
    'nodeinfo-rel warn',
    /"https:/,
  ],
  [
    'two entries for 2.0',
    withDocument(discoveryOf(workingLink, { ...workingLink, href: 'https://loops.example/b' })),
    'nodeinfo-links-once warn',
    /It has 2 entries: .*\/b"/,
  ],
  [
    'discovery with the content type of HTML',
    { answers: { discovery: healthyAnswer('discovery', { headers: { 'content-type': 'text/html' } }) } },
    'nodeinfo-discovery-type warn',
    /text\/html/,
  ],
  [
    'discovery with the content type of a binary file',
    { answers: { discovery: healthyAnswer('discovery', { headers: { 'content-type': 'application/octet-stream' } }) } },
    'nodeinfo-discovery-type warn',
    /octet-stream/,
  ],
  [
    'discovery with a byte order mark',
    { answers: { discovery: healthyAnswer('discovery', { body: `\ufeff${JSON.stringify(discoveryOf('2.0'))}` }) } },
    'nodeinfo-encoding warn',
    /discovery document begins/,
  ],
];

const hrefs: Case[] = [
  [
    'rel and href in separate entries',
    links({ rel: REL }, { href: workingLink.href }),
    'nodeinfo-href fail',
    /no href/,
  ],
  ['an href that is a list', href([workingLink.href]), 'nodeinfo-href fail', /not a string/],
  ['a relative href', href('/nodeinfo/2.0'), 'nodeinfo-href fail', /no host/],
  ['an href with only a host', href('//loops.example/nodeinfo/2.0'), 'nodeinfo-href fail', /not start with https/],
  [
    'an href without a scheme',
    href('loops.example/nodeinfo/2.0'),
    'nodeinfo-href fail',
    /does not start with https:\/\//,
  ],
  [
    'an address and a port without a scheme',
    href('127.0.0.1:4242/nodeinfo'),
    'nodeinfo-href fail',
    /does not start with https:\/\//,
  ],
  ['an href with a password', href('https://a:b@loops.example/nodeinfo/2.0'), 'nodeinfo-href fail', /user name/],
  ['an href with a space', href('https://loops.example/node info'), 'nodeinfo-href fail', /characters/],
  ['an empty href', href(''), 'nodeinfo-href fail', /empty/],
  ['an href of another scheme', href('ftp://loops.example/nodeinfo'), 'nodeinfo-href fail', /neither https nor http/],
  ['an href on another port', href('https://loops.example:8080/nodeinfo'), 'nodeinfo-href fail', /port 8080/],
  ['an href on localhost', href('https://localhost/nodeinfo/2.0'), 'nodeinfo-href fail', /not on a public host/],
  ['an href with plain http', withDocumentAt('http://loops.example/nodeinfo/2.0'), 'nodeinfo-href warn', /plain http/],
  [
    'an href with a doubled slash',
    withDocumentAt('https://loops.example//nodeinfo/2.0'),
    'nodeinfo-href info',
    /double slash/,
  ],
  ['an href with a fragment', withDocumentAt('https://loops.example/nodeinfo/2.0#x'), 'nodeinfo-href info', /fragment/],
  [
    'an href on another host',
    withDocumentAt('https://info.loops.example/nodeinfo/2.0'),
    'nodeinfo-host info',
    /info\.loops\.example/,
  ],
  ['a dead href', nodeinfoAnswer({ status: 404, body: '' }), 'nodeinfo-document fail', /\/nodeinfo\/2\.0 answers 404/],
  ['an href that requires sign-in', nodeinfoAnswer({ status: 401, body: '' }), 'nodeinfo-document fail', /401/],
  [
    'an href that redirects within the host',
    nodeinfoAnswer({ status: 301, headers: { location: '/n' }, body: '' }),
    'nodeinfo-document warn',
    /redirects to \/n/,
  ],
  [
    'an href that redirects to another host',
    nodeinfoAnswer({ status: 301, headers: { location: 'https://other.example/n' }, body: '' }),
    'nodeinfo-document fail',
    /other\.example/,
  ],
  [
    'an href without an answer',
    { answers: { nodeinfo: exchangeOf({ failure: 'body-timeout' }) } },
    'nodeinfo-document fail',
    /did not end/,
  ],
  [
    'an href on a host that does not exist',
    {
      answers: {
        ...withDocumentAt('https://gone.example/n').answers,
        nodeinfo: exchangeOf({ failure: 'dns-nxdomain' }),
      },
    },
    'nodeinfo-document fail',
    /gone\.example\/n .*does not exist/,
  ],
];

const documents: Case[] = [
  ['an HTML page', nodeinfoAnswer({ body: '<html></html>' }), 'nodeinfo-json fail', /HTML/],
  ['text after the JSON', nodeinfoAnswer({ body: `${wholeDocument} 1` }), 'nodeinfo-json fail', /goes on/],
  [
    'a byte order mark',
    nodeinfoAnswer({ body: `\ufeff${wholeDocument}` }),
    'nodeinfo-encoding warn',
    /NodeInfo document begins/,
  ],
  [
    'duplicate keys',
    nodeinfoAnswer({ body: wholeDocument.replace('{', '{"version":"2.0",') }),
    'nodeinfo-encoding warn',
    /duplicate names: version/,
  ],
  [
    'an unusual content type',
    nodeinfoAnswer({ headers: { 'content-type': 'text/plain' } }),
    'nodeinfo-content-type warn',
    /text\/plain/,
  ],
  [
    'the profile of 2.1',
    nodeinfoAnswer({ headers: { 'content-type': `application/json; profile="${NODEINFO_SCHEMA}/2.1#"` } }),
    'nodeinfo-content-type info',
    /2\.1/,
  ],
  ['no software', nodeinfoWith({ software: undefined }), 'nodeinfo-software fail', /no software/],
  [
    'software that is a string',
    nodeinfoWith({ software: 'loops' }),
    'nodeinfo-software fail',
    /"loops", not an object/,
  ],
  [
    'software without a name',
    nodeinfoWith({ software: { version: '1.0.0-beta.14' } }),
    'nodeinfo-software fail',
    /no name/,
  ],
  [
    'a software name in capitals',
    nodeinfoWith({ software: { name: 'Loops', version: '1.0.0-beta.14' } }),
    'nodeinfo-software fail',
    /"Loops"/,
  ],
  ['no services', nodeinfoWith({ services: undefined }), 'nodeinfo-fields-missing warn', /services/],
  [
    'no metadata and no posts',
    nodeinfoWith({ metadata: undefined, usage: { users: { total: 1, activeMonth: 1, activeHalfyear: 1 } } }),
    'nodeinfo-fields-missing warn',
    /metadata, usage\.localPosts/,
  ],
  [
    'counts that are null',
    usersAndPosts({ total: null }),
    'nodeinfo-fields-missing warn',
    /^Missing: usage\.users\.total\.$/,
  ],
  ['no usage', nodeinfoWith({ usage: undefined }), 'nodeinfo-fields-missing warn', /^Missing: usage\.$/],
  [
    'counts sent as strings',
    usersAndPosts({ total: '214' }),
    'nodeinfo-field-types fail',
    /usage\.users\.total is "214"/,
  ],
  ['counts sent as objects', usersAndPosts({ total: { local: 1 } }), 'nodeinfo-field-types fail', /\{"local":1\}/],
  ['usage sent as a list', nodeinfoWith({ usage: [] }), 'nodeinfo-field-types fail', /usage is \[\]/],
  [
    'users sent as a list',
    nodeinfoWith({ usage: { users: [], localPosts: 1 } }),
    'nodeinfo-field-types fail',
    /usage\.users is \[\]/,
  ],
  [
    'metadata sent as a list',
    nodeinfoWith({ metadata: [] }),
    'nodeinfo-field-types fail',
    /metadata is \[\], not an object/,
  ],
  ['a boolean sent as a string', nodeinfoWith({ openRegistrations: 'FALSE' }), 'nodeinfo-field-types fail', /"FALSE"/],
  [
    'a version that is a number',
    nodeinfoAnswer({ body: wholeDocument.replace('"2.0"', '2.0') }),
    'nodeinfo-field-types fail',
    /version is 2, not a string/,
  ],
  [
    'a document with the version 2.1',
    nodeinfoWith({ version: '2.1' }),
    'nodeinfo-schema warn',
    /version is "2\.1", not "2\.0"/,
  ],
  [
    'unknown keys at the top level',
    nodeinfoWith({ nodeName: 'x', rooms: 1 }),
    'nodeinfo-schema warn',
    /^The document has nodeName, rooms/,
  ],
  [
    'unknown keys in software',
    nodeinfoWith({ software: { name: 'loops', version: '1.0.0-beta.14', repository: 'x' } }),
    'nodeinfo-schema warn',
    /software has repository/,
  ],
  [
    'a protocol that is not in the schema',
    nodeinfoWith({ protocols: ['activitypub', 'nostr'] }),
    'nodeinfo-schema warn',
    /"nostr"/,
  ],
  ['no protocols', nodeinfoWith({ protocols: [] }), 'nodeinfo-protocols fail', /empty list/],
  [
    'protocols without ActivityPub',
    nodeinfoWith({ protocols: ['diaspora'] }),
    'nodeinfo-protocols fail',
    /only "diaspora"/,
  ],
  [
    'no active users',
    nodeinfoWith({ usage: { users: { total: 214 }, localPosts: 1_830 } }),
    'nodeinfo-usage info',
    /activeMonth, usage\.users\.activeHalfyear/,
  ],
  [
    'more active users than users',
    usersAndPosts({ activeMonth: 900, activeHalfyear: 900 }),
    'nodeinfo-counts warn',
    /more active users than users/,
  ],
  [
    'posts without users',
    usersAndPosts({ total: 0, activeMonth: 0, activeHalfyear: 0 }),
    'nodeinfo-counts warn',
    /posts but no users/,
  ],
  [
    'users without posts',
    usersAndPosts({ total: 74_234 }, 0),
    'nodeinfo-counts warn',
    /more than a thousand users but no posts/,
  ],
  [
    'an absurd count',
    usersAndPosts({ total: 5_000_000_000 }),
    'nodeinfo-counts warn',
    /^5,000,000,000 users is implausible/,
  ],
  [
    'neither users nor posts yet',
    usersAndPosts({ total: 0, activeMonth: 0, activeHalfyear: 0 }, 0),
    'nodeinfo-counts info',
    /Users and posts are 0/,
  ],
];

describe('a fault of NodeInfo discovery is reported by one rule, which passes on the healthy server:', () => {
  it.each(discovery)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('a fault of the NodeInfo href is reported by one rule, which passes on the healthy server:', () => {
  it.each(hrefs)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('a fault of the NodeInfo document is reported by one rule, which passes on the healthy server:', () => {
  it.each(documents)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('the rules of NodeInfo', () => {
  const reportingRules = (evidence: Evidence) =>
    nodeinfoRules.flatMap((rule) => (rule.judge(evidence) === null ? [] : [rule.id]));

  it('report once that NodeInfo is hidden while federation is off', () => {
    const config = healthyAnswer('config', { json: liveConfig({ federation: false }) });
    const evidence = evidenceOf({
      answers: { config, ...withoutDocument({ status: 404, json: { message: 'Not Found.' } }).answers },
    });
    expect(problemsOf(evidence)).toEqual(['nodeinfo-federation info']);
    expect(reportingRules(evidence)).toEqual(['nodeinfo-federation']);
  });

  it('do not say that NodeInfo answers when federation is off and discovery fails', () => {
    const config = healthyAnswer('config', { json: liveConfig({ federation: false }) });
    const evidence = evidenceOf({ answers: { config, ...withoutDocument({ status: 500, body: '' }).answers } });
    expect(reportingRules(evidence)).not.toContain('nodeinfo-federation');
  });

  it('report a missing field next to one that the schema does not define', () => {
    const usage = { users: { total: 1, activeMonth: 1, activeHalfyear: 1 }, localVideos: 3 };
    expect(problemsOf(evidenceOf(nodeinfoWith({ usage })))).toEqual([
      'nodeinfo-fields-missing warn',
      'nodeinfo-schema warn',
    ]);
  });

  it('do not say that active users are counted when their count is null', () => {
    expect(reportingRules(evidenceOf(usersAndPosts({ activeMonth: null })))).not.toContain('nodeinfo-usage');
  });

  it('suggest that federation may be off when config does not mention it, and Loops itself answers 404', () => {
    const config = healthyAnswer('config', { json: liveConfig({ federation: undefined }) });
    const evidence = evidenceOf({ answers: { config, ...withoutDocument({ status: 404, body: '{}' }).answers } });
    expect(problemsOf(evidence)).toEqual(['config-fields-missing warn', 'nodeinfo-discovery fail']);
    const judgement = nodeinfoRules.find(({ id }) => id === 'nodeinfo-discovery')?.judge(evidence);
    expect(judgement?.detail).toMatch(/while federation is off/);
    expect(judgement?.cure).toMatch(/cache:clear/);
  });

  it('report a wrong app.url and a wrong NodeInfo URL, which have different causes', () => {
    const evidence = evidenceOf({
      answers: {
        config: healthyAnswer('config', { json: liveConfig({ app: liveApp({ url: 'https://localhost' }) }) }),
        ...href('https://localhost/nodeinfo/2.0').answers,
      },
    });
    expect(problemsOf(evidence)).toEqual(['config-url fail', 'nodeinfo-href fail']);
  });

  it('report nothing on a host that has moved', () => {
    const moved = exchangeOf({ status: 301, headers: { location: 'https://new.example/' } });
    const { visit } = evidenceOf();
    const alias = { ...visit, verdict: 'alias', reason: 'redirected', via: null, software: null, facts: null } as const;
    const evidence = evidenceOf({
      visit: { ...alias, aliasOf: evidenceOf({ domain: 'new.example' }).domain },
      answers: { config: moved, discovery: moved, ...noDocuments },
    });
    expect(problemsOf(evidence)).toEqual(['config-redirect fail']);
  });

  it('validate other software against the schema too, and report its name', () => {
    const evidence = evidenceOf({
      answers: {
        config: healthyAnswer('config', { status: 404, body: '' }),
        nodeinfo: healthyAnswer('nodeinfo', { json: liveNodeInfo({ software: { name: 'Fancy App', version: '2' } }) }),
      },
    });
    expect(problemsOf(evidence)).toEqual(['nodeinfo-software info', 'nodeinfo-schema warn']);
  });
});
