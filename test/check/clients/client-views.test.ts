import { describe, expect, it } from 'vitest';
import { clientViews } from '../../../src/check/clients/client-views.ts';
import { ClientView } from '../../../src/check/report.ts';
import {
  type Answers,
  discoveryOf,
  evidenceOf,
  exchangeOf,
  healthyAnswer,
  liveApp,
  liveConfig,
  liveNodeInfo,
  NODEINFO_SCHEMA,
  noAnswers,
} from '../evidence-of.ts';

type Sees = ClientView['sees'];

/** The result of each of the four clients, in report order. */
function resultsOf(answers: Answers): Sees[] {
  return clientViews(evidenceOf({ answers })).map(({ sees }) => sees);
}

function viewOf(client: ClientView['client'], answers: Answers): ClientView {
  const found = clientViews(evidenceOf({ answers })).find((view) => view.client === client);
  if (found === undefined) throw new Error(`there is no view of ${client}`);
  return found;
}

const config = (json: unknown): Answers => ({ config: healthyAnswer('config', { json }) });
const nodeinfo = (changes: Record<string, unknown>): Answers => ({
  nodeinfo: healthyAnswer('nodeinfo', { json: liveNodeInfo(changes) }),
});
const discovery = (json: unknown, answers: Answers = {}): Answers => ({
  discovery: healthyAnswer('discovery', { json }),
  ...answers,
});
const withoutNodeInfo: Answers = { nodeinfo: null, 'nodeinfo-latest': null };
const link2_0 = { rel: `${NODEINFO_SCHEMA}/2.0`, href: 'https://loops.example/nodeinfo/2.0' };
const fullDocument = JSON.stringify(liveNodeInfo());
const allService: Sees[] = ['service', 'service', 'service', 'service'];

/** Answers found on real servers, with the results of the crawler, the official app, a strict and a best-effort client. */
const FORMS: [form: string, answers: Answers, expected: Sees[]][] = [
  ['the healthy server', {}, allService],
  ['links as a single object', discovery({ links: link2_0 }), ['service', 'service', 'nothing', 'service']],
  ['links as a keyed object', discovery({ links: { 0: link2_0 } }), ['service', 'service', 'nothing', 'service']],
  ['no links', discovery({ links: [] }, withoutNodeInfo), ['service', 'service', 'nothing', 'nothing']],
  [
    'keys in capitals',
    discovery({ links: [{ Rel: link2_0.rel, Href: link2_0.href }] }, withoutNodeInfo),
    ['service', 'service', 'nothing', 'nothing'],
  ],
  ['several 2.0 links', discovery(discoveryOf(link2_0, link2_0)), allService],
  [
    'a rel with https',
    discovery(discoveryOf({ ...link2_0, rel: link2_0.rel.replace('http', 'https') })),
    ['service', 'service', 'nothing', 'service'],
  ],
  [
    'a link to 2.1 only',
    discovery(discoveryOf('2.1'), { nodeinfo: null }),
    ['service', 'service', 'nothing', 'service'],
  ],
  [
    'the document at the well-known path',
    discovery(liveNodeInfo(), withoutNodeInfo),
    ['service', 'service', 'nothing', 'service'],
  ],
  [
    'an href without a scheme',
    discovery(discoveryOf({ ...link2_0, href: '127.0.0.1:4242/nodeinfo' }), withoutNodeInfo),
    ['service', 'service', 'nothing', 'nothing'],
  ],
  [
    'an href with plain http',
    discovery(discoveryOf({ ...link2_0, href: 'http://loops.example/nodeinfo/2.0' })),
    ['service', 'service', 'nothing', 'service'],
  ],
  [
    'a dead href',
    { nodeinfo: healthyAnswer('nodeinfo', { status: 404, body: '' }), 'nodeinfo-latest': null },
    ['service', 'service', 'nothing', 'nothing'],
  ],
  [
    'a byte order mark',
    { nodeinfo: healthyAnswer('nodeinfo', { body: `\ufeff${fullDocument}` }) },
    ['service', 'service', 'nothing', 'service'],
  ],
  [
    'garbage after the JSON',
    { nodeinfo: healthyAnswer('nodeinfo', { body: `${fullDocument}<br>` }) },
    ['service', 'service', 'nothing', 'service'],
  ],
  [
    'a wrong content type',
    { nodeinfo: healthyAnswer('nodeinfo', { headers: { 'content-type': 'text/html' } }) },
    ['service', 'service', 'nothing', 'service'],
  ],
  ['metadata sent as a list', nodeinfo({ metadata: [] }), ['service', 'service', 'nothing', 'service']],
  ['no services', nodeinfo({ services: undefined }), ['service', 'service', 'nothing', 'service']],
  ['usage sent as a list', nodeinfo({ usage: [] }), ['service', 'service', 'nothing', 'service']],
  ['counts as strings', nodeinfo({ usage: { users: { total: '1' } } }), ['service', 'service', 'nothing', 'service']],
  ['a boolean as a string', nodeinfo({ openRegistrations: 'FALSE' }), ['service', 'service', 'nothing', 'service']],
  ['an unknown top-level key', nodeinfo({ rooms: 1 }), ['service', 'service', 'nothing', 'service']],
  [
    'a capitalized software name',
    nodeinfo({ software: { name: 'Loops', version: '1' } }),
    ['service', 'service', 'nothing', 'service'],
  ],
  [
    'a capitalized name in config',
    config(liveConfig({ app: liveApp({ software: 'Loops' }) })),
    ['other', 'other', 'service', 'service'],
  ],
  [
    'config with the name in a list',
    config(liveConfig({ app: liveApp({ software: ['loops'] }) })),
    ['service', 'service', 'service', 'service'],
  ],
  [
    'config of other software',
    config(liveConfig({ app: liveApp({ software: 'loops-relay' }) })),
    ['other', 'other', 'service', 'service'],
  ],
  ['config without an app', config({}), ['service', 'other', 'service', 'service']],
  ['config that is null', config(null), ['service', 'other', 'service', 'service']],
  ['config that is a string', config('loops'), ['service', 'other', 'service', 'service']],
  ['config with a string as app', config({ app: 'loops' }), ['service', 'other', 'service', 'service']],
  [
    'config that answers 404 with JSON',
    { config: healthyAnswer('config', { status: 404, json: { message: 'Not Found.' } }) },
    ['service', 'other', 'service', 'service'],
  ],
  [
    'config that is an HTML page',
    { config: healthyAnswer('config', { body: '<!doctype html>' }) },
    ['service', 'nothing', 'service', 'service'],
  ],
  [
    'federation off',
    {
      ...config(liveConfig({ federation: false })),
      discovery: healthyAnswer('discovery', { status: 404, body: '{}' }),
      ...withoutNodeInfo,
    },
    ['service', 'service', 'nothing', 'nothing'],
  ],
  ['no response', noAnswers(), ['nothing', 'nothing', 'nothing', 'nothing']],
];

describe('the four clients', () => {
  it.each(FORMS)('have the expected results for %s', (_form, answers, expected) => {
    expect(resultsOf(answers)).toEqual(expected);
  });

  it.each(FORMS)('give a reason in the format of the report for %s', (_form, answers) => {
    for (const view of clientViews(evidenceOf({ answers }))) {
      expect(ClientView.parse(view)).toEqual(view);
      expect(view.why).toMatch(/^\S.*\.$/);
    }
  });
});

describe('the official app', () => {
  it('times out after five seconds', () => {
    expect(viewOf('official-app', { config: healthyAnswer('config', { ms: 5_001 }) })).toMatchObject({
      sees: 'nothing',
    });
    expect(viewOf('official-app', { config: healthyAnswer('config', { ms: 5_000 }) })).toMatchObject({
      sees: 'service',
    });
  });

  it('compares the software name loosely, but case-sensitively', () => {
    const app = (software: unknown) => viewOf('official-app', config(liveConfig({ app: liveApp({ software }) })));
    expect(app(['loops'])).toMatchObject({ sees: 'service', software: null });
    expect(app([['loops']])).toMatchObject({ sees: 'service' });
    expect(app(['loops', 'loops'])).toMatchObject({ sees: 'other' });
    expect(app('LOOPS')).toMatchObject({ sees: 'other', software: 'LOOPS' });
    expect(app({ loops: true })).toMatchObject({ sees: 'other' });
  });

  it('follows a redirect to the configuration that the crawl read', () => {
    const { visit } = evidenceOf();
    const moved = exchangeOf({ status: 302, headers: { location: '/api/v2/config' } });
    const [, app] = clientViews(evidenceOf({ visit, answers: { config: moved } }));
    expect(app).toMatchObject({ sees: 'service', version: '1.0.0-beta.14' });
    expect(viewOf('official-app', { config: moved }).why).toMatch(/redirects to \/api\/v2\/config/);
  });

  it('recognizes only Loops, regardless of the softwareId of the check', () => {
    const clips = { ...liveConfig(), app: liveApp({ software: 'clips' }) };
    const views = clientViews(evidenceOf({ softwareId: 'clips', answers: config(clips) }));
    expect(views.slice(0, 2).map(({ sees }) => sees)).toEqual(['service', 'other']);
  });
});

describe('the strict client', () => {
  it('reports the first schema violation and the number of others', () => {
    const { why } = viewOf('nodeinfo-strict', nodeinfo({ metadata: [], openRegistrations: 1, rooms: 2 }));
    expect(why).toBe('It violates the schema: openRegistrations is 1, not true or false, and 2 more.');
  });

  it('reports other software with a valid document as other', () => {
    const answers = nodeinfo({ software: { name: 'pixelfed', version: '0.12' } });
    expect(viewOf('nodeinfo-strict', answers)).toMatchObject({ sees: 'other', software: 'pixelfed', version: '0.12' });
  });
});

describe('the best-effort client', () => {
  it('reports which document has the name', () => {
    const why = (answers: Answers) => viewOf('nodeinfo-best-effort', answers).why;
    expect(why({})).toMatch(/in the NodeInfo 2\.0 document/);
    expect(why({ nodeinfo: null })).toMatch(/of another version/);
    expect(why(discovery(liveNodeInfo(), withoutNodeInfo))).toMatch(/well-known path/);
    expect(why(nodeinfo({ software: { name: 'Loops' } }))).toMatch(/"Loops".*accepts as "loops"/);
  });

  it('removes characters that could disturb a page', () => {
    const { software, why } = viewOf(
      'nodeinfo-best-effort',
      nodeinfo({ software: { name: 'x\u202e\u0007y', version: 1 } }),
    );
    expect(`${software}${why}`).not.toMatch(/[\p{Cc}\u202e]/u);
  });
});
