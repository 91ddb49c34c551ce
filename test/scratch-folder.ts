import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Creates one temporary folder for the test run, in memory if there is room, because fsync on disk slows database tests. */
export function setup({ config }: TestProject): () => void {
  const folder = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'loopscout-tests-'));
  // Some tests run a child process as another user, who must be able to read the folder.
  chmodSync(folder, 0o755);
  config.env = { ...config.env, TMPDIR: folder };
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Whether the folder exists and has more than 1 GiB free. */
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail: freeBlocks, bsize: blockBytes } = statfsSync(folder);
  return freeBlocks * blockBytes > 2 ** 30;
}
