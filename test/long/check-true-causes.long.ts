import { expect, it, onTestFinished } from 'vitest';
import { check } from '../../src/index.ts';
import { createFleet, type HostRow, kinds } from '../../src/reference/index.ts';
import { FAULT_SAMPLES } from '../check/fault-samples.ts';
import { CAUSES_OF_FAULTS, KINDS_BY_CAUSE } from '../check/true-causes.ts';

const OPTIONS = { domains: { allowSuffixes: ['example'] } };

/** Findings that every host of a fleet has (no home page), and slow responses under test load. */
const EXPECTED_NOISE = /^GET \/ gives 404|^(?:GET|POST|OPTIONS) .* took \d/;

const causes = Object.entries(KINDS_BY_CAUSE).flatMap(([cause, names]) =>
  names.map((name): [kind: string, cause: string | null] => [name, cause === 'none' ? null : cause]),
);

/** The id of the first failure or warning of each host, by the first label of its name. */
async function firstFindingIds(hosts: readonly HostRow[]): Promise<Record<string, string | null>> {
  const fleet = await createFleet({ file: { hosts: [...hosts] } });
  onTestFinished(() => fleet.close());
  const network = { allow: ['127.0.0.1/32'], dnsServers: [fleet.dnsServer], caFile: fleet.caFile };
  const timeouts = { connectMs: 6_000, responseMs: 3_000, visitMs: 12_000 };
  const firstIds: Record<string, string | null> = {};
  const pending = [...fleet.hosts].toReversed();
  const checkPending = async () => {
    for (let host = pending.shift(); host !== undefined; host = pending.shift()) {
      const { findings } = await check(host.domain, { ...OPTIONS, network: { ...network, timeouts } });
      const [first] = findings.filter(
        ({ severity, detail }) => /fail|warn/.test(severity) && !EXPECTED_NOISE.test(detail),
      );
      firstIds[host.domain.split('.example')[0] ?? ''] = first?.id ?? null;
    }
  };
  await Promise.all(Array.from({ length: 12 }, checkPending));
  return firstIds;
}

it('the expected causes cover every kind of host and every fault', () => {
  expect(causes.map(([kind]) => kind).toSorted()).toEqual(kinds.map(({ name }) => name).toSorted());
  expect(CAUSES_OF_FAULTS).toHaveLength(FAULT_SAMPLES.length);
});

it('`check` reports the true cause of each kind of host first', async () => {
  const nameOf = (kind: string) => `k-${kind.replaceAll('.', '-')}`;
  const rows = kinds.map(({ name: kind }): HostRow => ({ kind, name: `${nameOf(kind)}.example` }));
  expect(await firstFindingIds(rows)).toEqual(Object.fromEntries(causes.map(([kind, id]) => [nameOf(kind), id])));
}, 300_000);

it('`check` reports the true cause of each fault of a whole server first', async () => {
  const rows = FAULT_SAMPLES.map(
    (sample, index): HostRow => ({
      kind: 'loops-live',
      name: `f-${index}.example`,
      faults: [{ ...sample, route: '*' }],
    }),
  );
  const expected = CAUSES_OF_FAULTS.map((id, index) => [`f-${index}`, id]);
  expect(await firstFindingIds(rows)).toEqual(Object.fromEntries(expected));
}, 300_000);
