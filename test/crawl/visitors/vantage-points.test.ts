import { describe, expect, test } from 'vitest';
import { createDispatchingIdentifier } from '../../../src/crawl/visitors/dispatching-identifier.ts';
import { createRoster } from '../../../src/crawl/visitors/roster.ts';
import {
  NotVisitedError,
  VisitorLostError,
  type VisitResult,
  type VisitTask,
} from '../../../src/crawl/visitors/visit-task.ts';
import type { Identifier } from '../../../src/identify/identifier.ts';
import { createVisitBuilder } from '../../../src/identify/visit-builder.ts';
import { storedDomain } from '../../../src/model/domain/domain.ts';
import type { Step } from '../../../src/model/step.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { loopsVisit, unreachableVisit } from '../../store/sample-visit.ts';

const domain = storedDomain('loops.example.org');
const VERSION = '1.0.0';
const step = (probe: Step['probe'], failure: Step['failure'] = null): Step => ({
  ...{ probe, url: `https://${domain}/${probe}`, status: failure === null ? 200 : null, ms: 5, bytes: 0, failure },
});
const lookUp = step('dns');

/** A visit of a worker, as the crawling process receives it. */
const visitBy = (name: string, visit: Visit, ...steps: Step[]): VisitResult => ({
  kind: 'visited',
  visit: { ...visit, durationMs: 100, steps: [lookUp, ...steps] },
  from: { name, version: VERSION },
});
const failing = (name: string) => visitBy(name, unreachableVisit(domain, 0), step('robots', 'connect-refused'));
const working = (name: string) => visitBy(name, loopsVisit(domain, 0), step('robots'), step('config'));

interface Options {
  alive?: readonly string[];
  mustConfirmFailure?: boolean;
  /** Called before a task fails. */
  onFailure?: (identifier: Identifier) => void;
}

/** Visits the domain once; its tasks to workers have these results, one after the other. */
async function visit(
  results: readonly (VisitResult | Error)[],
  { alive = ['west', 'east'], mustConfirmFailure = true, onFailure }: Options = {},
) {
  const roster = createRoster(VERSION, () => 1_000);
  roster.setAlive(alive.map((name) => ({ name, version: VERSION })));
  /** For each task, the worker that must not take it; undefined: any worker may take it. */
  const excludedWorkers: (string | undefined)[] = [];
  const unused = () => Promise.reject(new Error('not used'));
  const identifier: Identifier = createDispatchingIdentifier({
    local: { resolve: unused, identify: unused, cancelAll: () => undefined },
    visitors: {
      roster,
      async visit(_task: VisitTask, notFrom?: string) {
        const result = results[excludedWorkers.length];
        excludedWorkers.push(notFrom);
        if (result instanceof Error) onFailure?.(identifier);
        if (result === undefined || result instanceof Error) throw result ?? new Error('no result');
        return result;
      },
      cancelAll: () => undefined,
    },
    resolver: { resolve: unused, isAnswering: unused, canResolve: unused, cancel: () => undefined },
    guard: () => null,
    options: { softwareId: 'loops', robots: 'standard', allowSuffixes: [], userAgent: 'Loopscout/0.0.0' },
    now: () => 10_000,
  });
  const builder = createVisitBuilder(
    domain,
    () => 0,
    () => 0,
  );
  builder.steps.push(lookUp);
  const finalVisit = await identifier.identify({ builder, addresses: [] }, { mustConfirmFailure });
  return { finalVisit, excludedWorkers, roster };
}

describe('the failure of a listed instance', () => {
  test('becomes a success, with the steps of both vantage points, when another worker reaches the host', async () => {
    const { finalVisit, excludedWorkers, roster } = await visit([failing('west'), working('east')]);
    expect(excludedWorkers).toEqual([undefined, 'west']);
    // Two visits of 100 ms each; the second ended at 10,000.
    expect(finalVisit).toMatchObject({ verdict: 'loops', at: 9_800, durationMs: 200 });
    expect(finalVisit.steps.map(({ probe, failure, from }) => [probe, failure, from])).toEqual([
      ['dns', null, undefined],
      ['robots', 'connect-refused', 'west'],
      ['robots', null, 'east'],
      ['config', null, 'east'],
    ]);
    expect(roster.takeChanges()).toEqual([
      expect.objectContaining({ name: 'west', reachedElsewhere: 1 }),
      expect.objectContaining({ name: 'east', reachedElsewhere: 0 }),
    ]);
  });

  test('stays a failure when another worker cannot reach the host either', async () => {
    const { finalVisit, roster } = await visit([failing('west'), failing('east')]);
    expect(finalVisit).toMatchObject({ verdict: 'unreachable' });
    expect(finalVisit.steps.map(({ from }) => from)).toEqual([undefined, 'west', 'east']);
    expect(roster.takeChanges().map(({ reachedElsewhere }) => reachedElsewhere)).toEqual([0, 0]);
  });

  test.each([
    ['without another worker', { alive: ['west'] }],
    ['when only workers of the same name are alive', { alive: ['west', 'west'] }],
    ['when the visit need not be confirmed', { mustConfirmFailure: false }],
  ])('counts at once %s', async (_when, options) => {
    const { finalVisit, excludedWorkers } = await visit([failing('west')], options);
    expect(excludedWorkers).toEqual([undefined]);
    expect(finalVisit.steps.map(({ from }) => from)).toEqual([undefined, undefined]);
  });

  test.each([
    ['was lost', new VisitorLostError('lost')],
    ['did not begin', new NotVisitedError('busy')],
    ['is offline', { kind: 'unvisited', why: 'this machine is offline' } as const],
    ['did not end in time', { kind: 'expired' } as const],
  ])('counts when the other worker %s', async (_what, second) => {
    const { finalVisit, excludedWorkers } = await visit([failing('west'), second]);
    expect(excludedWorkers).toEqual([undefined, 'west']);
    expect(finalVisit).toMatchObject({ verdict: 'unreachable', durationMs: 100 });
    expect(finalVisit.steps.map(({ from }) => from)).toEqual([undefined, undefined]);
  });
});

test.each(['cancelWaiting', 'cancelAll'] as const)(
  'the first failure does not count when %s ends the second visit',
  async (cancel) => {
    const second = new NotVisitedError('cancelled');
    const onFailure = (identifier: Identifier) => identifier[cancel]?.();
    await expect(visit([failing('west'), second], { onFailure })).rejects.toBe(second);
  },
);

test('a success is not repeated', async () => {
  expect((await visit([working('west')])).excludedWorkers).toEqual([undefined]);
});

describe('the roster', () => {
  const west = { name: 'west', version: VERSION };
  const noCounts = { visits: 0, errors: 0, reachedElsewhere: 0 };

  test('reports new workers and counts at once, and once a minute the time each worker was last seen', () => {
    let now = 0;
    const roster = createRoster(VERSION, () => now);
    expect(roster.takeChanges()).toEqual([]);
    roster.setAlive([west]);
    expect(roster.takeChanges()).toEqual([{ ...west, ...noCounts, lastSeen: 0 }]);
    now = 59_000;
    roster.setAlive([west]);
    expect(roster.takeChanges()).toEqual([]);
    roster.count(west, 'visits');
    expect(roster.takeChanges()).toEqual([{ ...west, ...noCounts, visits: 1, lastSeen: 59_000 }]);
    now = 120_000;
    roster.setAlive([west]);
    expect(roster.takeChanges()).toEqual([{ ...west, ...noCounts, lastSeen: 120_000 }]);
    expect(roster.takeChanges()).toEqual([]);
  });

  test('reports workers of another version, but does not count on them for a confirmation', () => {
    const roster = createRoster(VERSION, () => 0);
    roster.setAlive([west, { name: 'old', version: '0.9.0' }]);
    expect(roster.hasOtherThan('west')).toBe(false);
    expect(roster.takeChanges().map(({ name, version }) => `${name} ${version}`)).toEqual(['west 1.0.0', 'old 0.9.0']);
  });
});
