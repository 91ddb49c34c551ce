import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

test.for([
  ['a server', ['--tls', '--port', '0']],
  ['a fleet', ['--fleet', '3000']],
] as const)('%s that receives SIGTERM twice during its start leaves no files', async ([_what, args]) => {
  const temporary = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  const temporaryFiles = () => readdirSync(temporary).filter((name) => name.startsWith('loops-reference-'));
  try {
    let interrupted = false;
    const { stderr } = await runCli(['reference', ...args], {
      env: { TMPDIR: temporary },
      onStart: (child) => {
        // Interrupts as soon as a temporary file exists.
        const timer = setInterval(() => {
          if (temporaryFiles().length === 0) return;
          clearInterval(timer);
          interrupted = true;
          child.kill('SIGTERM');
          setTimeout(() => child.kill('SIGTERM'), 2);
        }, 1);
        child.once('exit', () => clearInterval(timer));
      },
    });
    expect([interrupted, stderr, temporaryFiles()]).toEqual([true, '', []]);
  } finally {
    rmSync(temporary, { recursive: true });
  }
});
