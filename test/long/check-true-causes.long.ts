import { expect, it, onTestFinished } from 'vitest';
import { faultNames } from '../../src/reference/faults/fault-rule.ts';
import { createFleet, type HostRow, kinds } from '../../src/reference/index.ts';
import { problemsOfChecks } from '../check/check-fleet.ts';
import { FAULT_SAMPLES } from '../check/fault-samples.ts';
import { CAUSES_OF_FAULTS, KINDS_BY_CAUSE } from '../check/true-causes.ts';

/** Findings that every host of a fleet has (no home page), and slow responses under test load. */
const EXPECTED_NOISE = /^GET \/ gives 404|^(?:GET|POST|OPTIONS) .* took \d/;

/** Kinds of each cause that are checked: what the others differ in does not matter to `check`. */
const KINDS_CHECKED = 5;

const causes = Object.entries(KINDS_BY_CAUSE).flatMap(([cause, names]) =>
  names.map((name): [kind: string, cause: string | null] => [name, cause === 'none' ? null : cause]),
);

/**
 * Checks the hosts, each within the limit on requests and without errors. Returns the id of the first failure or warning of each, by the
 * first label of its name.
 */
async function firstFindingIds(hosts: readonly HostRow[]): Promise<Record<string, string | null>> {
  const fleet = await createFleet({ file: { hosts: [...hosts] } });
  onTestFinished(() => fleet.close());
  const firstIds: Record<string, string | null> = {};
  // The lists end with the slow hosts. In reverse order these start first, and the others are checked meanwhile.
  const domains = fleet.hosts.map(({ domain }) => domain).toReversed();
  const problems = await problemsOfChecks(fleet, domains, {
    concurrency: 16,
    timeouts: { connectMs: 6_000, responseMs: 3_000, visitMs: 12_000 },
    onReport: (domain, { findings }) => {
      const [first] = findings.filter(
        ({ severity, detail }) => /fail|warn/.test(severity) && !EXPECTED_NOISE.test(detail),
      );
      firstIds[domain.split('.example')[0] ?? ''] = first?.id ?? null;
    },
  });
  expect(problems).toEqual([]);
  return firstIds;
}

it('the expected causes cover every kind of host and every fault', () => {
  expect(new Set(FAULT_SAMPLES.map(({ fault }) => fault))).toEqual(new Set(faultNames));
  expect(causes.map(([kind]) => kind).toSorted()).toEqual(kinds.map(({ name }) => name).toSorted());
  expect(CAUSES_OF_FAULTS).toHaveLength(FAULT_SAMPLES.length);
});

it('`check` reports the true cause of up to five kinds of host with each cause first, within forty requests and without errors', async () => {
  const nameOf = (kind: string) => `k-${kind.replaceAll('.', '-')}`;
  const checked = Object.values(Object.groupBy(causes, ([, cause]) => String(cause))).flatMap((same = []) => {
    const step = Math.ceil(same.length / KINDS_CHECKED);
    return same.filter((_, index) => index % step === 0);
  });
  const rows = checked.map(([kind]): HostRow => ({ kind, name: `${nameOf(kind)}.example` }));
  expect(await firstFindingIds(rows)).toEqual(Object.fromEntries(checked.map(([kind, id]) => [nameOf(kind), id])));
}, 300_000);

it('`check` reports the true cause of each fault of a whole server first', async () => {
  const rows = FAULT_SAMPLES.map((sample, index): HostRow => {
    return { kind: 'loops-live', name: `f-${index}.example`, faults: [{ ...sample, route: '*' }] };
  });
  const expected = CAUSES_OF_FAULTS.map((id, index) => [`f-${index}`, id]);
  expect(await firstFindingIds(rows)).toEqual(Object.fromEntries(expected));
}, 300_000);
