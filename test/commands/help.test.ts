import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createProgram, main } from '../../src/commands/main.ts';
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
  const flags = examples.flatMap((line) => line.match(/--[a-z-]+/g) ?? []);
  for (const flag of flags) expect(text.slice(0, text.indexOf('Examples:'))).toMatch(new RegExp(`^ +${flag} `, 'm'));
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test.each(COMMANDS.map(({ name }) => name))('--help of %s fits a terminal', async (command) => {
  const text = await helpOf(command);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

const helps = await Promise.all(COMMANDS.map(async ({ name, load }) => ({ name, ...(await load()).help })));

describe.each(helps)('$name', ({ name, examples }) => {
  test('has at least two examples in its help', async () => {
    expect(examples.length).toBeGreaterThanOrEqual(2);
    expect(await helpOf(name)).toContain(`\nExamples:\n${examples.map((line) => `  ${line}\n`).join('')}`);
  });

  test.each(examples)('the example "%s" is a valid command line', async (example) => {
    const [program, ...args] = example.split(' ');
    const parsed: string[] = [];
    const output = { stdout: new PassThrough(), stderr: new PassThrough() };
    await createProgram(output, async (entry) => {
      parsed.push(entry.name);
    }).parseAsync(args, { from: 'user' });
    expect([program, ...parsed]).toEqual(['loopscout', name]);
  });
});

test('--help without a command names the first steps', async () => {
  const { stdout } = await runCommand(['--help'], '.');
  expect(stdout).toMatch(/Run a directory: {2}loopscout init, then loopscout run/);
});

test('each of several problems starts with the program name, with its details indented below', async () => {
  const { code, stderr } = await runCommand(['check', 'loops', '--interval', '90'], '.');
  expect(code).toBe(2);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line).toMatch(/^loopscout: \S|^ {2}\S/);
  expect(stderr).toMatch(/^loopscout: --interval needs --watch$/m);
});
