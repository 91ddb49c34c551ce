import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openData } from '../../../src/reference/data/open-data.ts';
import { fillData } from '../../../src/reference/seed/fill-data.ts';

const program = join(import.meta.dirname, 'write-until.ts');

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
    const start = Date.now() + 1_500;
    const args = [program, database, String(start), String(start + 1_200)];
    const write = async (): Promise<{ rounds: number; errors: string[] }> =>
      JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
    const [first, second] = await Promise.all([write(), write()]);
    expect([first.errors, second.errors]).toEqual([[], []]);
    using data = openData({ database });
    expect(data.setting('rounds')).toBe(String(first.rounds + second.rounds));
    const { apps, codes, tokens, sessions } = data;
    expect([apps, codes, tokens, sessions].map((table) => table.count())).toEqual([20, 3, 3, 3]);
  });
});
