import { afterAll, describe, it } from 'vitest';
import { createFleet } from '../../src/reference/index.ts';
import { hostOfKind, identifierFor, quick, stalling, visitWith } from './fleet-identifier.ts';

/** The expected reasons where the fleet's table leaves them open. */
const openReasons: Record<string, string> = {
  'links-torn': 'href-invalid',
  'discovery-list': 'discovery-not-json',
  'http-503-everywhere': 'robots-unreachable',
  'reset-on-connect': 'robots-unreachable',
  'stalls-on-connect': 'tls-timeout',
  'stalls-in-body': 'body-timeout',
};

describe('in a fleet with one host of each kind that does not stall,', async () => {
  const fleet = await createFleet({ hosts: quick.length });
  const identifier = identifierFor(fleet);
  afterAll(() => fleet.close());

  it.concurrent.for(quick)(
    'a $name host gets the decision that the table of kinds expects',
    async ({ name }, { expect: localExpect }) => {
      const host = hostOfKind(fleet, name);
      const visit = await visitWith(identifier, host);
      const { verdict, reason, via, software, version, aliasOf } = visit;
      const expected = { aliasOf: null, ...host.expect, reason: host.expect?.reason ?? openReasons[name] };
      localExpect({ verdict, reason, via, software, version, aliasOf }).toEqual(expected);
      localExpect(visit.steps[0]).toMatchObject({ probe: 'dns', status: null });
    },
  );
});

describe('among hosts that stall,', () => {
  it.concurrent.for(stalling)(
    'a $name host ends the visit at the time-out, with the expected verdict and reason',
    async ({ name, dns, expect: { verdict, reason } }, { expect: localExpect }) => {
      await using fleet = await createFleet({ hosts: 1, mix: { [name]: 1 } });
      const dnsTimeoutMs = dns === 'silent' ? 200 : 5_000;
      const identifier = identifierFor(fleet, { connectMs: 2_000, responseMs: 2_000, dnsTimeoutMs });
      const visit = await visitWith(identifier, hostOfKind(fleet, name));
      localExpect(visit).toMatchObject({ verdict, reason: reason ?? openReasons[name] });
    },
  );
});
