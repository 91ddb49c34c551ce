import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from '../../src/commands/main.ts';
import { seededAccounts } from '../../src/reference/index.ts';

async function helpOf(command: string): Promise<string> {
  let text = '';
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  expect(await main([command, '--help'], { stdout, stderr: new Writable(), cwd: '.' })).toBe(0);
  return text;
}

test('--help of reference says what it serves, how to sign in, and gives examples of flags that there are', async () => {
  const text = await helpOf('reference');
  const [ada] = seededAccounts();
  expect(text.replaceAll('\n', ' ')).toContain(`sign in as ${ada?.username} with the password ${ada?.password}.`);
  for (const part of ['OAuth', 'NodeInfo', 'faults', 'until it is interrupted']) expect(text).toContain(part);
  const examples = text.slice(text.indexOf('Examples:')).match(/^ {2}loopscout reference.*$/gm) ?? [];
  expect(examples.length).toBeGreaterThan(1);
  const flags = examples.flatMap((line) => line.match(/--[a-z]+/g) ?? []);
  for (const flag of flags) expect(text.slice(0, text.indexOf('Examples:'))).toMatch(new RegExp(`^ +${flag} `, 'm'));
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});
