import { expect, it, onTestFinished } from 'vitest';
import { faultNames } from '../../src/reference/faults/fault-rule.ts';
import { createFleet, type HostRow, kinds } from '../../src/reference/index.ts';
import { problemsOfChecks } from '../check/check-fleet.ts';
import { FAULT_SAMPLES } from '../check/fault-samples.ts';

const ROUTES = ['/api/v1/config', '/.well-known/nodeinfo', '/nodeinfo/*', '*'];

it('the samples cover every fault of the reference server', () => {
  expect(new Set(FAULT_SAMPLES.map(({ fault }) => fault))).toEqual(new Set(faultNames));
});

it('`check` tests a host of every kind, and a host for every fault on every route, each within a minute and forty requests, without errors', async () => {
  const hostsByKind = kinds.map(({ name: kind }, index): HostRow => ({ kind, name: `kind-${index}-${kind}.example` }));
  const hostsByFault = FAULT_SAMPLES.flatMap((sample, index) =>
    ROUTES.map(
      (route, at): HostRow => ({
        kind: 'loops',
        name: `fault-${index}-${sample.fault}-${at}.example`,
        profile: 'live',
        faults: [{ ...sample, route }],
      }),
    ),
  );
  // Both lists end with the slow hosts. In reverse order these start first, and the others are checked meanwhile.
  const hosts = [...hostsByFault, ...hostsByKind].toReversed();
  const fleet = await createFleet({ file: { hosts } });
  onTestFinished(() => fleet.close());
  const domains = fleet.hosts.map(({ domain }) => domain);
  expect(await problemsOfChecks(fleet, domains, { concurrency: 80 })).toEqual([]);
}, 600_000);
