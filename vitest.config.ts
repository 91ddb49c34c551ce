import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/process/**'], testTimeout: 20_000 } },
      // Whole processes: spawned, killed, starved of disk. They share the machine's cores, so they run one file at a time.
      {
        test: { name: 'process', include: ['test/process/**/*.test.ts'], testTimeout: 120_000, fileParallelism: false },
      },
      { test: { name: 'long', include: ['test/long/**/*.long.ts'], testTimeout: 1_200_000, fileParallelism: false } },
    ],
  },
});
