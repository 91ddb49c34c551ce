import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Creates one temporary folder for the test run, in memory if there is room, because fsync on disk slows database tests. */
export function setup({ config }: TestProject): () => void {
  const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'loopscout-tests-'));
  // Some tests run a child as another user.
  chmodSync(folder, 0o755);
  config.env = { ...config.env, TMPDIR: folder };
  return () => rmSync(folder, { recursive: true, force: true });
}

function hasRoom(memory: string): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > 2 ** 30;
}
