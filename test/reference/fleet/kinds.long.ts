import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFleet, type Fleet, kinds } from '../../../src/reference/index.ts';
import { plainVisit } from './plain-visit.ts';

/** By expected reason: the error that a plain visit throws, mostly a code of Node. */
const nodeFailures: Record<string, RegExp> = {
  'dns-nxdomain': /ENOTFOUND/,
  'dns-servfail': /ESERVFAIL/,
  'dns-refused': /EREFUSED/,
  'dns-no-address': /ENODATA/,
  'forbidden-address': /forbidden-address/,
  'connect-refused': /ECONNREFUSED/,
  'tls-expired': /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
  'tls-wrong-name': /ERR_TLS_CERT_ALTNAME_INVALID/,
  'tls-untrusted': /DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/,
  'tls-failed': /EPROTO|ERR_SSL/,
};

/** The reasons that a plain client finds for kinds whose expected reason is null. */
const openReasons: Record<string, string> = {
  'reset-on-connect': 'robots-unreachable',
  'http-503-everywhere': 'robots-unreachable',
  'links-torn': 'href-invalid',
  'discovery-list': 'no-nodeinfo-2.0-link',
};

/** The results of a plain client, which reads no pages, for kinds that only their pages distinguish. */
const resultsWithoutPages: Record<string, { verdict?: string; reason: string }> = {
  'web-app-everywhere': { reason: 'discovery-not-json' },
  'parked-page': { reason: 'discovery-not-json' },
  'default-page': { reason: 'discovery-not-json' },
  'maintenance-page': { reason: 'discovery-not-json' },
  'challenge-page': { reason: 'no-nodeinfo' },
  'challenge-page-503': { verdict: 'unreachable', reason: 'http-5xx' },
};

// A visit to a host of a kind of weight 0 costs a time-out.
const quick = kinds.filter(({ weight }) => weight !== 0);
const stalling = kinds.filter(({ weight }) => weight === 0);

describe('each kind of host', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await createFleet({ hosts: quick.length });
  });
  afterAll(() => fleet.close());

  it.for(quick)('$name has the expected result', async (kind) => {
    const { name } = kind;
    const host = fleet.hosts.find((each) => each.kind === name);
    if (host === undefined) throw new Error(`The default fleet has no ${name}.`);
    const { reason, ...expected } = { ...kind.expect, ...host.expect, ...resultsWithoutPages[name] };
    const failure = nodeFailures[reason ?? ''];
    if (failure !== undefined) {
      const thrown = await plainVisit(fleet, host.domain).catch((error) => `${error.code} ${error.message}`);
      expect(thrown).toMatch(failure);
      return;
    }
    const found = await plainVisit(fleet, host.domain);
    expect(found).toMatchObject({ ...expected, reason: reason ?? openReasons[name] });
  });
});

describe('a kind that costs a time-out', () => {
  it.for(stalling)('$name keeps a visit waiting, and the visit fails after the fleet closes', async ({ name }) => {
    await using fleet = await createFleet({ hosts: 1, mix: { [name]: 1 } });
    const visit = plainVisit(fleet, fleet.hosts[0]?.domain ?? '').then(
      ({ verdict }) => (verdict === 'unreachable' ? 'failed' : 'answered'),
      () => 'failed',
    );
    const waiting = new Promise((resolve) => setTimeout(resolve, 300, 'waiting'));
    expect(await Promise.race([visit, waiting])).toBe('waiting');
    await fleet.close();
    expect(await visit).toBe('failed');
  });
});
