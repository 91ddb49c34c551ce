import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { main } from '../../src/commands/main.ts';
import { COMMANDS } from '../../src/commands/registry.ts';
import { seededAccounts } from '../../src/reference/index.ts';
import { runCommand } from './run-command.ts';

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

test('--help of reference describes what it serves and how to sign in, with examples that use existing flags', async () => {
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

test.each(COMMANDS.map(({ name }) => name))('--help of %s fits a terminal', async (command) => {
  const text = await helpOf(command);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each(['check', 'explain', 'add', 'forget', 'backup', 'serve', 'export', 'diff', 'replay'])(
  '--help of %s gives an example',
  async (command) => {
    expect(await helpOf(command)).toMatch(new RegExp(`^ {2}loopscout ${command}\\b`, 'm'));
  },
);

test('each of several problems starts with the program name, with its details indented below', async () => {
  const { code, stderr } = await runCommand(['check', 'loops', '--interval', '90'], '.');
  expect(code).toBe(2);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/^loopscout: \S|^ {2}\S/);
  expect(stderr).toMatch(/^loopscout: --interval needs --watch$/m);
});
