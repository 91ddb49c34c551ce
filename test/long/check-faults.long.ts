import { expect, it, onTestFinished } from 'vitest';
import { faultNames } from '../../src/reference/faults/fault-rule.ts';
import { createFleet, type HostRow, kinds } from '../../src/reference/index.ts';
import { problemsOfChecks } from '../check/check-fleet.ts';
import { FAULT_SAMPLES } from '../check/fault-samples.ts';

const ROUTES = ['/api/v1/config', '/.well-known/nodeinfo', '/nodeinfo/*', '*'];

it('knows every fault of the reference server', () => {
  expect(new Set(FAULT_SAMPLES.map(({ fault }) => fault))).toEqual(new Set(faultNames));
});

it('checks a host of each kind, and one with each fault of each route, within a minute and forty requests, without breaking', async () => {
  const ofKinds = kinds.map(({ name: kind }, index): HostRow => ({ kind, name: `kind-${index}-${kind}.example` }));
  const ofFaults = FAULT_SAMPLES.flatMap((sample, index) =>
    ROUTES.map(
      (route, at): HostRow => ({
        kind: 'loops',
        name: `fault-${index}-${sample.fault}-${at}.example`,
        profile: 'live',
        faults: [{ ...sample, route }],
      }),
    ),
  );
  // The slow ones stand at the end of both lists; they begin first, and the others are done beside them.
  const hosts = [...ofFaults, ...ofKinds].toReversed();
  const fleet = await createFleet({ file: { hosts } });
  onTestFinished(() => fleet.close());
  const domains = fleet.hosts.map(({ domain }) => domain);
  expect(await problemsOfChecks(fleet, domains, { atOnce: 80 })).toEqual([]);
}, 600_000);
