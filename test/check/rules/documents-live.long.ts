import { describe, expect, it } from 'vitest';
import { clientViews } from '../../../src/check/clients/client-views.ts';
import type { Report } from '../../../src/check/report.ts';
import { RECOMMENDED_ROBOTS } from '../evidence-of.ts';
import { checkHost, type OperatorHost, startOperatorHost } from '../operator-host.ts';
import { DOCUMENT_RULES } from '../problems-of.ts';

const CONFIG = '/api/v1/config';
const DISCOVERY = '/.well-known/nodeinfo';
const NODEINFO = '/nodeinfo/2.0';

/** The findings other than passes, as `config-json fail`. */
async function findProblems(host: OperatorHost): Promise<string[]> {
  const report = await checkDocuments(host);
  return report.findings.filter(({ severity }) => severity !== 'pass').map(({ id, severity }) => `${id} ${severity}`);
}

function checkDocuments(host: OperatorHost): Promise<Report> {
  return checkHost(host, { rules: DOCUMENT_RULES, viewsOf: clientViews, newestVersion: '1.0.0-beta.14' });
}

type State = OperatorHost['server']['state'];
/** Changes a healthy host so that it has a fault. */
type Spoil = (state: State, host: OperatorHost) => void;

/** Gives the server these faults. */
const faulty =
  (...faults: State['faults']): Spoil =>
  (state) => {
    state.faults = faults;
  };

/** A fault, and all findings that it causes. */
const FAULTS: [fault: string, spoil: Spoil, found: string[]][] = [
  [
    'the robots.txt of live servers',
    (state) => {
      state.robots = RECOMMENDED_ROBOTS.replace('Allow: /api/v1/config\n', '');
    },
    ['robots-config info'],
  ],
  [
    'a robots.txt that forbids the site to Loopscout',
    (state) => {
      state.robots = `${RECOMMENDED_ROBOTS}\nUser-agent: Loopscout\nDisallow: /\n`;
    },
    ['robots-names-loopscout fail'],
  ],
  ['a robots.txt that fails', faulty({ route: '/robots.txt', fault: 'server-error' }), ['robots-available fail']],
  [
    'a web app instead of robots.txt',
    (state) => {
      state.robots = '<!doctype html><div id="app"></div>';
    },
    ['robots-text warn'],
  ],
  [
    'noindex',
    (_, host) => {
      host.behaviour.headers = { 'x-robots-tag': 'noindex' };
    },
    ['robots-noindex fail'],
  ],
  ['a config that fails', faulty({ route: CONFIG, fault: 'server-error' }), ['config-answered fail']],
  [
    'a config that answers 404',
    faulty({ route: CONFIG, fault: 'status', status: 404, body: '{"message":"Not Found."}' }),
    ['config-status fail'],
  ],
  [
    'a config that asks for a sign-in',
    faulty({ route: CONFIG, fault: 'status', status: 401, body: '{}' }),
    ['config-public fail'],
  ],
  [
    'a config that moved within the host',
    faulty({ route: CONFIG, fault: 'redirect', to: 'https://loops.example/api/v1/config2' }),
    ['config-redirect fail'],
  ],
  [
    'a config that is an HTML page',
    faulty({ route: CONFIG, fault: 'invalid-json', how: 'html' }),
    ['config-json fail'],
  ],
  ['a config that is cut off', faulty({ route: CONFIG, fault: 'invalid-json', how: 'cut' }), ['config-json fail']],
  [
    'a config with a warning after it',
    faulty({ route: CONFIG, fault: 'invalid-json', how: 'trailing-text' }),
    ['config-json fail'],
  ],
  ['a config that ends early', faulty({ route: CONFIG, fault: 'truncated' }), ['config-answered fail']],
  ['a config in bytes that are not UTF-8', faulty({ route: CONFIG, fault: 'invalid-utf8' }), ['config-encoding warn']],
  [
    'a config with the wrong content type',
    faulty({ route: CONFIG, fault: 'content-type', value: 'text/html' }),
    ['config-content-type warn'],
  ],
  ['a config that is too deep', faulty({ route: CONFIG, fault: 'deep-json' }), ['config-json fail']],
  [
    'a config with duplicate names',
    faulty({ route: CONFIG, fault: 'duplicate-keys', right: 'last' }),
    ['config-duplicate-keys warn'],
  ],
  [
    'a config with duplicate names, the last of which is wrong',
    faulty({ route: CONFIG, fault: 'duplicate-keys', right: 'first' }),
    ['config-duplicate-keys fail'],
  ],
  ['a config over the limit', faulty({ route: CONFIG, fault: 'large-body' }), ['config-answered fail']],
  ['a config of 100 KiB', faulty({ route: CONFIG, fault: 'large-body', bytes: 100_000 }), ['config-size warn']],
  [
    'a config that is cached for a month',
    (_, host) => {
      host.behaviour.cacheControl = 'public, max-age=2592000';
    },
    ['config-cache warn'],
  ],
  [
    'a config with a session cookie',
    (_, host) => {
      host.behaviour.headers = { 'set-cookie': 'loops_session=x' };
    },
    ['config-cookies warn'],
  ],
  [
    'no CORS',
    (_, host) => {
      host.behaviour.cors = false;
    },
    ['config-cors warn'],
  ],
  [
    'a software name with a capital letter',
    (state) => {
      state.config.app.software = 'Loops';
    },
    ['config-software fail', 'nodeinfo-software fail'],
  ],
  [
    'an app.url of localhost',
    (state) => {
      state.config.app.url = 'https://localhost';
    },
    ['config-url fail'],
  ],
  [
    'a missing key of a later release',
    (state) => {
      state.missingConfigKeys = ['account'];
    },
    ['config-fields-missing warn'],
  ],
  [
    'a size in bytes',
    (state) => {
      state.config.media.max_video_size = 41_943_040;
    },
    ['config-max-video-size warn'],
  ],
  [
    'an old release',
    (state) => {
      state.config.app.version = '1.0.0-beta.13';
    },
    ['agreement-version-newest warn'],
  ],
  [
    'federation off',
    (state) => {
      state.config.federation = false;
    },
    ['nodeinfo-federation info'],
  ],
  [
    'a discovery that answers 404',
    faulty({ route: DISCOVERY, fault: 'status', status: 404, body: '{}' }),
    ['nodeinfo-discovery fail'],
  ],
  [
    'a discovery that is an HTML page',
    faulty({ route: DISCOVERY, fault: 'invalid-json', how: 'html' }),
    ['nodeinfo-discovery-json fail'],
  ],
  [
    'a discovery with the wrong content type',
    faulty({ route: DISCOVERY, fault: 'content-type', value: 'text/plain' }),
    ['nodeinfo-discovery-type warn'],
  ],
  [
    'an href on localhost',
    (state) => {
      state.url = 'https://localhost';
    },
    ['nodeinfo-href fail'],
  ],
  [
    'an href with plain http',
    (state) => {
      state.url = 'http://loops.example';
    },
    ['nodeinfo-href warn'],
  ],
  [
    'a NodeInfo document that answers 404',
    faulty({ route: NODEINFO, fault: 'status', status: 404, body: '{}' }),
    ['nodeinfo-document fail'],
  ],
  [
    'a NodeInfo document that is cut off',
    faulty({ route: NODEINFO, fault: 'invalid-json', how: 'cut' }),
    ['nodeinfo-json fail'],
  ],
  [
    'a NodeInfo document with another software version',
    (state) => {
      state.nodeInfo = { software: { version: '1.0.0-beta.13' } };
    },
    ['agreement-version warn'],
  ],
  [
    'counts sent as strings',
    (state) => {
      state.nodeInfo = { usage: { users: { total: '4' as unknown as number } } };
    },
    ['nodeinfo-field-types fail'],
  ],
  [
    'counts that contradict each other',
    (state) => {
      state.usage = { users: { total: 4, activeMonth: 900, activeHalfyear: 900 }, localPosts: 20 };
    },
    ['nodeinfo-counts warn'],
  ],
  [
    'a registration that only NodeInfo reports as closed',
    (state) => {
      state.nodeInfo = { openRegistrations: false };
    },
    ['agreement-registration warn'],
  ],
];

describe('a check over real sockets', () => {
  it('finds nothing on a healthy server', async () => {
    const report = await checkDocuments(await startOperatorHost());
    expect(report.findings.filter(({ severity }) => severity !== 'pass')).toEqual([]);
    expect(report.clients.map(({ sees }) => sees)).toEqual(['service', 'service', 'service', 'service']);
  });

  it.each(FAULTS)('reports the cause of %s and nothing else', async (_fault, spoil, found) => {
    const host = await startOperatorHost();
    spoil(host.server.state, host);
    expect(await findProblems(host)).toEqual(found);
  });

  it('reports once that a host is an alias of another', async () => {
    const host = await startOperatorHost({
      answer: (request, response) => {
        if (request.url === '/robots.txt') return false;
        response.writeHead(301, { location: `https://new.example${request.url}` }).end();
        return true;
      },
    });
    expect(await findProblems(host)).toEqual(['config-redirect fail']);
  });

  it('reports once that everything fails', async () => {
    const host = await startOperatorHost({ server: { faults: [{ route: '*', fault: 'server-error' }] } });
    expect(await findProblems(host)).toEqual(['config-answered fail']);
  });

  it('reports once that the host limits the rate', async () => {
    const host = await startOperatorHost({ server: { faults: [{ route: CONFIG, fault: 'rate-limited' }] } });
    expect(await findProblems(host)).toEqual(['config-answered fail']);
  });
});
