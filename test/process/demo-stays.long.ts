import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from './run-cli.ts';

let temporary: string;

beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

test('the demo stays up with the history of a year until Ctrl-C, which ends it with 0 and removes its folder', async () => {
  const fetched: { instances?: number; days?: Set<string>; error?: unknown } = {};
  const { code, stdout, stderr } = await runCli(['demo', '--hosts', '20'], {
    env: { TMPDIR: temporary },
    onStart(child) {
      let text = '';
      child.stdout?.on('data', async (chunk) => {
        text += chunk;
        const url = /^Open (http:\S+)\n/m.exec(text)?.[1];
        if (url === undefined) return;
        text = '';
        try {
          const { total } = (await (await fetch(`${url}/api/v1/instances`)).json()) as { total: number };
          const history = await (await fetch(`${url}/api/v1/stats/history?measure=instances&key=total`)).json();
          fetched.instances = total;
          fetched.days = new Set((history as { points: { date: string }[] }).points.map(({ date }) => date));
        } catch (error) {
          fetched.error = error;
        }
        child.kill('SIGINT');
      });
    },
  });
  expect([code, stderr, fetched.error]).toEqual([0, '', undefined]);
  expect(stdout).toMatch(/All \d+ Loops servers of the fleet were identified/);
  expect(stdout.match(/http:\S+/g)).toHaveLength(1);
  expect(fetched.instances).toBeGreaterThan(4);
  expect(fetched.days?.size).toBeGreaterThan(50);
  expect(readdirSync(temporary)).toEqual([]);
});

test('a second SIGTERM ends the demo at once, and its folder is still removed', async () => {
  const { code, stdout } = await runCli(['demo', '--hosts', '20'], {
    env: { TMPDIR: temporary },
    onStart(child) {
      child.stdout?.once('data', () => {
        // Signals within half a second count as one, and a busy process reads them late. The demo is stopped most of the time, so that it
        // cannot end before it has read two.
        const signal = () => {
          child.kill('SIGTERM');
          child.kill('SIGCONT');
          setTimeout(() => child.kill('SIGSTOP'), 200);
        };
        signal();
        const timer = setInterval(signal, 1_000);
        child.once('exit', () => clearInterval(timer));
      });
    },
  });
  // After the first signal alone, it would end with 0.
  expect(code).toBe(130);
  expect(stdout).not.toContain('Open');
  expect(readdirSync(temporary).filter((name) => name.startsWith('loopscout-demo-'))).toEqual([]);
});
