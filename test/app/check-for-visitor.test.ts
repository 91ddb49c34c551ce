import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkForVisitor } from '../../src/app/check.ts';
import type { HttpOptions } from '../../src/http/visit-client.ts';
import { type Domain, storedDomain } from '../../src/model/domain/domain.ts';
import { parseLocalServer } from '../../src/model/domain/local-server.ts';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { loadSettings, type Settings } from '../../src/settings/settings.ts';

/** A public address; the connector of {@link asPublic} leads to the fleet instead. */
const PUBLIC = { address: '93.184.215.14', family: 4 } as const;

let fleet: Fleet;
let domain: Domain;
let settings: Settings;

beforeAll(async () => {
  fleet = await createFleet({ file: { hosts: [{ kind: 'loops', name: 'clips.example' }] } });
  domain = storedDomain(`clips.example:${fleet.port}`);
  settings = loadSettings({
    ...{ file: null, env: {} },
    flags: {
      domains: { allowSuffixes: ['example'] },
      network: { allow: ['127.0.0.0/8', '::1/128'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile },
    },
  });
});
afterAll(() => fleet.close());
beforeEach(() => fleet.requests.clear());

/** The fleet, as if it had a public address. */
function asPublic(): Partial<Pick<HttpOptions, 'resolver' | 'connector'>> {
  return {
    resolver: {
      resolve: async () => ({ ok: true, addresses: [PUBLIC], ttlSeconds: 60 }),
      isAnswering: async () => true,
      canResolve: async () => true,
      cancel: () => {},
    },
    connector: (to) => {
      expect(to).toEqual([PUBLIC]);
      return connect(fleet.port, '127.0.0.1');
    },
  };
}

describe('a check for a visitor', () => {
  it('sends nothing to a loopback address, although network.allow permits it', async () => {
    const dialled: unknown[] = [];
    const connector: HttpOptions['connector'] = (to) => {
      dialled.push(to);
      return connect(fleet.port, '127.0.0.1');
    };
    const report = await checkForVisitor(settings, domain, {
      ...{ mayContact: () => true, mayConnect: () => true, newestVersion: null },
      network: { connector },
    });
    expect(report).toMatchObject({ verdict: 'declined', reason: 'forbidden-address', requests: 0 });
    expect(dialled).toEqual([]);
    expect(fleet.requests.total).toBe(0);
  });

  it('refuses a local server', () => {
    const local = parseLocalServer('http://127.0.0.1:8089');
    if (local === null) throw new Error('no local server');
    expect(() => checkForVisitor(settings, local, { mayContact: () => true, mayConnect: () => true })).toThrow(
      'local server',
    );
  });

  it('sends only GET requests, and reports on the server', async () => {
    const report = await checkForVisitor(settings, domain, {
      ...{ mayContact: () => true, mayConnect: () => true, newestVersion: null },
      network: asPublic(),
    });
    expect(report.verdict).toBe('loops');
    expect(fleet.requests.total).toBeGreaterThan(15);
    // The limit of a check.
    expect(fleet.requests.total).toBeLessThanOrEqual(40);
    expect(new Set(fleet.requests.recent.map(({ method }) => method))).toEqual(new Set(['GET']));
    expect(report.findings.length).toBeGreaterThan(40);
    // The check also queries the DNS server of the fleet, which answers with a loopback address.
    expect(report.findings.filter(({ severity }) => severity === 'fail').map(({ id }) => id)).toEqual(['dns-public']);
    expect(report.cutShort).toBeNull();
  });

  it('sends nothing to an address that it may not connect to, and asks about each of them', async () => {
    const asked = new Set<string>();
    const report = await checkForVisitor(settings, domain, {
      mayContact: () => true,
      mayConnect: (address) => {
        asked.add(address);
        return false;
      },
      newestVersion: null,
      network: asPublic(),
    });
    expect(report.reason).toBe('forbidden-address');
    expect([...asked]).toEqual([PUBLIC.address]);
    expect(fleet.requests.total).toBe(0);
  });

  it('contacts no host that it may not contact', async () => {
    const asked = new Set<string>();
    const report = await checkForVisitor(settings, domain, {
      mayContact: ({ host }) => {
        asked.add(host);
        return false;
      },
      mayConnect: () => true,
      newestVersion: null,
      network: asPublic(),
    });
    expect(report.verdict).not.toBe('loops');
    expect(asked).toContain(domain);
    expect(fleet.requests.total).toBe(0);
  });
});
