import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openData } from '../../../src/reference/data/open-data.ts';
import { fillData } from '../../../src/reference/seed/fill-data.ts';

const writerProgram = join(import.meta.dirname, 'write-until.ts');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reference-data-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('two processes on one database', () => {
  it('write concurrently without errors or lost data', async () => {
    const database = join(folder, 'shared.db');
    {
      using data = openData({ database });
      fillData(data);
    }
    // Late enough for both processes to have started.
    const startAtMs = Date.now() + 1_500;
    const args = [writerProgram, database, String(startAtMs), String(startAtMs + 1_200)];
    const runWriter = async (): Promise<{ rounds: number; errors: string[] }> =>
      JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
    const [first, second] = await Promise.all([runWriter(), runWriter()]);
    expect(Math.min(first.rounds, second.rounds)).toBeGreaterThan(0);
    expect([first.errors, second.errors]).toEqual([[], []]);
    using data = openData({ database });
    expect(data.setting('rounds')).toBe(String(first.rounds + second.rounds));
    // The limits that the writers set.
    const { apps, codes, tokens, sessions } = data;
    expect([apps, codes, tokens, sessions].map((table) => table.count())).toEqual([20, 3, 3, 3]);
  });
});
