import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

test('the demo identifies every Loops server of its fleet and no other host', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  try {
    const { code, stdout, stderr } = await runCli(['demo', '--once'], { env: { TMPDIR: temporary } });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(
      /All \d+ Loops servers of the fleet were identified, and no other host \(of \d+\) was identified as one/,
    );
    const [, loopsVisits, otherVisits] =
      /among the first (\d+) visits; half of the others, among the first (\d+)/.exec(stdout) ?? [];
    expect(Number(loopsVisits)).toBeLessThan(Number(otherVisits));
    expect(stdout).toMatch(/only here[\s\S]*directory/);
    const folder = /to (\S+export) /.exec(stdout)?.[1] ?? '';
    const { instances } = JSON.parse(readFileSync(join(folder, 'instances.json'), 'utf8'));
    expect(instances.length).toBeGreaterThan(20);
    expect(instances.every(({ software }: { software: string }) => software === 'loops')).toBe(true);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
});
