import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { repository, run } from './run-cli.ts';
import { startReference } from './start-cli.ts';

const readme = readFileSync(join(repository, 'src/reference/README.md'), 'utf8');
const programIn = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme)?.[1] ?? '';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  // The command of the README, from source.
  writeFileSync(join(folder, 'loopscout'), `#!/bin/sh\nexec '${process.execPath}' '${repository}src/cli.ts' "$@"\n`);
  chmodSync(join(folder, 'loopscout'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));
const runProgram = (program: string, args: string[]) =>
  run(program, args, { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` } });

describe('the README of the reference server has', () => {
  const hasPython = spawnSync('python3', ['-c', '']).status === 0;

  test('a script of ten lines in Python, or where Python is missing in bash, that reads an account and leaves no server', async () => {
    expect(programIn('python').trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    const [program, flag, language] = hasPython ? ['python3', '-c', 'python'] : ['bash', '-euc', 'bash'];
    const ended = await runProgram(program, [flag, programIn(language)]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  });

  test('a script in bash that reads the requests from the control, and leaves no server', async () => {
    const ended = await runProgram('bash', ['-euo', 'pipefail', '-c', programIn('bash')]);
    expect(ended).toEqual({ code: 0, stderr: '', stdout: '"target":"/api/v1/config?first"\n' });
  });
});

/** Starts the command with a pipe as its standard input, and returns its line of JSON. */
async function startWithPipe(...args: string[]) {
  const all = [`${repository}src/cli.ts`, 'reference', '--port', '0', '--json', '--until-stdin-ends', ...args];
  const child = spawn(process.execPath, all, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, ended, facts: JSON.parse(line) };
}

describe('reference --until-stdin-ends', () => {
  test.each([
    ['a server', []],
    ['a fleet', ['--fleet', '3']],
  ])('ends %s with code 0 when the pipe to its standard input closes, and not before', async (_what, args) => {
    const { child, ended, facts } = await startWithPipe(...args);
    expect(facts.port).toBe(Number(new URL(facts.url).port));
    child.stdin.write('input is ignored\n');
    if (args.length === 0) expect((await fetch(`${facts.url}/api/v1/config`)).status).toBe(200);
    expect(child.exitCode).toBeNull();
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  test('ends when the program that started it is killed', async () => {
    const source = `
      const child = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: ['pipe', 'inherit', 'inherit'] });
      setInterval(() => {}, 1_000);`;
    const args = [`${repository}src/cli.ts`, 'reference', '--port', '0', '--json', '--until-stdin-ends'];
    const parent = spawn(process.execPath, ['--eval', source, '--', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(parent.stdout), 'line');
    const { url } = JSON.parse(line);
    expect((await fetch(`${url}/api/v1/config`)).status).toBe(200);
    parent.kill('SIGKILL');
    // The server has the other end of this pipe too, so that the pipe ends with it.
    await once(parent, 'close');
    await expect(fetch(`${url}/api/v1/config`)).rejects.toThrow();
  });
});

describe('reference --control', () => {
  test('prints the URL and the token; after a reset, the printed app and token are valid again', async () => {
    await using started = await startReference(['--port', '0', '--json', '--control', '0', '--seed', '9']);
    const facts = JSON.parse(started.text);
    const { url, control, token } = facts;
    const headers = { authorization: `Bearer ${control.token}` };
    const self = async () =>
      (await fetch(`${url}/api/v1/account/info/self`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await self()).toBe(200);
    expect(await (await fetch(`${control.url}/reset`, { method: 'POST', headers })).json()).toEqual(facts);
    expect(await self()).toBe(200);
    const requests = (await (await fetch(`${control.url}/requests`, { headers })).json()) as object[];
    expect(requests).toHaveLength(1);
    // The same seed in another process.
    await using again = await startReference(['--port', '0', '--json', '--seed', '9']);
    expect(JSON.parse(again.text)).toMatchObject({ token, app: facts.app });
  });
});

describe('the container recipe', () => {
  const text = readFileSync(join(repository, 'data/deploy/reference.yaml'), 'utf8');
  const { reference } = parse(text.replace(/\$\{\w+:-([^}]+)\}/g, '$1')).services;

  test('publishes on the loopback address only the ports that the command listens on, without privileges', () => {
    const ports = reference.command.flatMap((word: string) => /^--(?:port|control)=(\d+)$/.exec(word)?.[1] ?? []);
    expect(reference.ports).toEqual(ports.map((port: string) => `127.0.0.1:${port}:${port}`));
    expect([reference.read_only, reference.cap_drop]).toEqual([true, ['ALL']]);
  });

  test('has a command that starts a server with the advertised URL, and a health check that tells it from a missing one', async () => {
    const [, ...args] = reference.command.map((word: string) =>
      word.replace('0.0.0.0', '127.0.0.1').replace(/^--(port|control)=.*/, '--$1=0'),
    );
    const started = await startReference(args);
    const { url, port, videos, control } = JSON.parse(started.text);
    expect(url).toBe('http://127.0.0.1:8089');
    const video = await (await fetch(`http://127.0.0.1:${port}/api/v1/video/${videos[0]}`)).json();
    expect(video).toMatchObject({ url: expect.stringContaining(url) });
    const [form, , ...check] = reference.healthcheck.test;
    expect(form).toBe('CMD');
    const health = async () =>
      (
        await run(
          process.execPath,
          check.map((word: string) => word.replace('http://127.0.0.1:8090', control.url)),
        )
      ).code;
    expect(await health()).toBe(0);
    await started.stop();
    expect(await health()).toBe(1);
  });
});

/** Runs a program, and prints at its end the package of each module that it has loaded; `own` for those of this one. */
const listModules = (program: string) => `
  const { registerHooks } = await import('node:module');
  const urls = new Set();
  registerHooks({ load: (url, context, next) => { urls.add(url); return next(url, context); } });
  const packageOf = (url) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? /\\/src\\/([^/]+)/.exec(url)?.[1];
  process.on('exit', () => console.log(JSON.stringify([...urls].filter((url) => url.startsWith('file:')).map(packageOf))));
  ${program}`;

const ofTheServer = [
  ...['@fastify/cookie', '@fastify/formbody', '@fastify/helmet', '@fastify/rate-limit', 'better-sqlite3', 'fastify'],
  ...['ghtml', 'ipaddr.js', 'leven', 'lru-cache', 'reference', 'semver', 'zod'],
];

// Without the packages for certificates, DNS and OpenAPI, and without the crawler.
test.each([
  [
    'a program that imports loopscout/reference and starts a server',
    380,
    ofTheServer,
    `const { createReferenceServer } = await import('${repository}src/reference/index.ts');
     const server = await createReferenceServer();
     await (await fetch(server.url + '/api/v1/config')).json();
     await server.close();`,
  ],
  [
    'the command',
    410,
    [...ofTheServer, 'cli.ts', 'commander', 'commands', 'report', 'settings', 'shutdown.ts'],
    `process.argv = [process.execPath, 'cli', 'reference', '--port', '0', '--until-stdin-ends'];
     await import('${repository}src/cli.ts');`,
  ],
])('%s loads at most %i modules, of no other parts and packages than it needs', async (_what, most, parts, program) => {
  const ended = await run(process.execPath, ['--input-type=module', '--eval', listModules(program)]);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  const modules: string[] = JSON.parse(ended.stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(modules.length).toBeLessThanOrEqual(most);
  const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const own = readdirSync(join(repository, 'src'));
  const direct = [...new Set(modules)].filter((name) => name in dependencies || own.includes(name));
  expect(direct.toSorted()).toEqual(parts.toSorted());
});
