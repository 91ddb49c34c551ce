import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slowest first: if one started last, the run would wait for it while the other cores idle. */
const SLOWEST = [
  // In a process that has run nothing else: it counts sockets.
  ...['nothing-left', 'site/browser', 'process/readme.long', 'run-trouble', 'long/package', 'process/flood'],
  ...['workers-killed', 'check-true-causes', 'forgotten.long', 'lying-sources', 'offline-silent', 'slow-clients'],
  ...['run-killed', 'container', 'pictures', 'crawl-killed', 'process/run.long', 'run-in-parallel', 'situations'],
  ...['service-over-time', 'reference-fixture', 'lost-output', 'hostile-worker', 'export-killed'],
  ...[
    'judge-client',
    'service/service',
    'export/months',
    'conform/odd-servers',
    'crawl/crawl.test',
    'check/check.test',
  ],
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = SLOWEST.findIndex((name) => moduleId.includes(name));
      return place === -1 ? SLOWEST.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** Only a hang reaches these limits, however busy the machine is. */
const expect = { poll: { timeout: 30_000 } };
const [testTimeout, hookTimeout] = [60_000, 60_000];

/** Node loads the files itself, with its compile cache: Vite would transform each, and make every use of an import a getter. */
const experimental = { viteModuleRunner: false, nodeLoader: false };

// Inherited by workers and by the command lines that tests start.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compile');

export default defineConfig({
  test: {
    // One more than there are cores: many tests wait for sockets, timers and other processes.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          // One process for many files: to start one and load the modules for each takes longer than most of them.
          isolate: false,
          experimental,
          globalSetup: 'test/scratch-folder.ts',
          testTimeout,
          hookTimeout,
          expect,
        },
      },
      {
        test: {
          name: 'long',
          include: ['test/**/*.long.ts'],
          isolate: false,
          experimental,
          // These wait more than the others.
          maxWorkers: availableParallelism() + 2,
          globalSetup: ['test/scratch-folder.ts', 'test/process/build-dist.ts'],
          testTimeout: 1_200_000,
          hookTimeout,
          expect,
        },
      },
    ],
  },
});
