import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

test.for([
  ['a server', ['--tls', '--port', '0']],
  ['a fleet', ['--fleet', '3000']],
] as const)(
  '%s that is interrupted while it starts, by a signal that comes twice, leaves nothing',
  async ([_what, args]) => {
    const temporary = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
    const left = () => readdirSync(temporary).filter((name) => name.startsWith('loops-reference-'));
    try {
      let met = false;
      const { stderr } = await runCli(['reference', ...args], {
        env: { TMPDIR: temporary },
        onStart: (child) => {
          // As soon as there is something to leave.
          const looking = setInterval(() => {
            if (left().length === 0) return;
            clearInterval(looking);
            met = true;
            child.kill('SIGTERM');
            setTimeout(() => child.kill('SIGTERM'), 2);
          }, 1);
          child.once('exit', () => clearInterval(looking));
        },
      });
      expect([met, stderr, left()]).toEqual([true, '', []]);
    } finally {
      rmSync(temporary, { recursive: true });
    }
  },
);
