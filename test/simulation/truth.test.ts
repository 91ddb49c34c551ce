import { describe, expect, it } from 'vitest';
import { SCENARIOS, type Scenario, simulateTruth } from './simulate-truth.ts';

describe('the published status and uptime', () => {
  it.each<[Scenario, number]>([
    ...(Object.keys(SCENARIOS) as Scenario[]).map((scenario): [Scenario, number] => [scenario, 0.01]),
    ['operators', 0.02],
  ])('are true in the scenario %s with accidents in a share of %d of the visits', async (scenario, accidents) => {
    const figures = await simulateTruth({ scenario, seed: 1, accidents, instances: 120 });
    expect(figures.shownDownWhileUp).toBeLessThanOrEqual(0.002);
    expect(figures.shownUpWhileDown).toBeLessThanOrEqual(0.004);
    expect(figures.noticed.p90).toBeLessThanOrEqual(6);
    expect(figures.recovered.p90).toBeLessThanOrEqual(5);
    expect(Math.abs(figures.uptime.bias)).toBeLessThanOrEqual(0.1);
    expect(figures.uptime.meanError).toBeLessThanOrEqual(0.3);
    expect(figures.uptime.p95Error).toBeLessThanOrEqual(1);
    expect(figures.visitsPerDay).toBeLessThanOrEqual(4.6);
  });
});

describe('an hour in which the network of the crawler drops packets', () => {
  it.each([30, 200])('shows none of %d instances as down', async (instances) => {
    const { mostBlamed } = await simulateTruth({
      scenario: 'network-drops',
      seed: 2,
      instances,
      days: 4,
      accidents: 0,
    });
    expect(mostBlamed).toBe(0);
  });
});
