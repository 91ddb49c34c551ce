import { expect, test } from 'vitest';
import { applyReloadable, settingsChanges } from '../../src/settings/apply-reloadable.ts';
import { loadSettings } from '../../src/settings/settings.ts';

const settings = (flags: object) => loadSettings({ file: null, env: {}, cwd: '/', flags: { ...flags } });
const defaults = settings({});

test('equal settings have no changes', () => {
  expect(settingsChanges(defaults, settings({}))).toEqual({ applied: [], needRestart: [] });
});

test('each changed key is named once, as in the file, as applied or needing a restart', () => {
  const after = settings({
    cadence: { loopsHours: 2, otherHours: 3 },
    queue: { concurrency: 5, engine: 'postgres://127.0.0.1/' },
    jobs: { export: '1 * * * *' },
    export: { dir: '/elsewhere' },
    sources: [{ type: 'file', path: '/seeds.txt' }],
    network: { allow: ['127.0.0.1/32'], timeouts: { connectMs: 1 } },
  });
  expect(settingsChanges(defaults, after)).toEqual({
    applied: ['sources', 'queue.concurrency', 'cadence.loopsHours', 'cadence.otherHours', 'jobs.export'],
    needRestart: ['queue.engine', 'network.allow', 'network.timeouts.connectMs', 'export.dir'],
  });
});

test('exactly the keys reported as applied are applied', () => {
  const after = settings({
    softwareId: 'other',
    robots: 'off',
    cadence: { loopsHours: 2 },
    retention: { visitsDays: 5 },
    flags: { staleDays: 5 },
    queue: {
      concurrency: 5,
      visitsPerSecond: 5,
      perAddress: 5,
      perRegistrableDomain: 5,
      engine: 'postgres://127.0.0.1/',
    },
    jobs: { crawl: '5 * * * * *' },
    export: { dir: '/elsewhere' },
    service: { shutdownSeconds: 5 },
    serve: { port: 5 },
    log: { level: 'error' },
    sources: [{ type: 'file', path: '/seeds.txt' }],
  });
  const { needRestart } = settingsChanges(defaults, after);
  const effective = applyReloadable(defaults, after);
  // The remaining changes are exactly those that need a restart.
  expect(settingsChanges(effective, after)).toEqual({ applied: [], needRestart });
  expect(needRestart).toEqual(['softwareId', 'queue.engine', 'robots', 'export.dir', 'serve.port']);
});
