import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Many tests wait for sockets, timers and other processes; one core left idle would make them last twice as long.
    maxWorkers: '100%',
    projects: [
      { test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/process/**'], testTimeout: 20_000 } },
      // Whole processes: spawned, killed, starved of disk.
      {
        test: {
          name: 'process',
          include: ['test/process/**/*.test.ts'],
          globalSetup: 'test/process/build-dist.ts',
          testTimeout: 120_000,
        },
      },
      { test: { name: 'long', include: ['test/long/**/*.long.ts'], testTimeout: 1_200_000, fileParallelism: false } },
    ],
  },
});
