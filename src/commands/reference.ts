import type { Profile } from '../reference/index.ts';
import { abortOnSignal } from '../shutdown.ts';
import { type Help, type Run, type Terminal, UsageError } from './command.ts';
import { createProblems } from './input/problems.ts';
import { untilAborted, wholeNumber } from './input/values.ts';
import { fleetOf, startReferenceFleet } from './reference-fleet.ts';
import { optionsFileOf, type Started, startReferenceServer } from './reference-server.ts';

export const help: Help = {
  options: [
    ['--port <port>', 'port to listen on; 0 for any free one (default: 8089, with --fleet any)'],
    ['--profile <profile>', 'spec or live: as specified, or like real servers (default: spec)'],
    ['--host <address>', 'address to listen on (default: 127.0.0.1)'],
    ['--tls', 'use TLS, with its own certificate authority'],
    ['--database <file>', 'store accounts, apps and tokens in this SQLite file (default: in memory)'],
    ['--seed <number>', 'the same seed gives the same accounts, videos, tokens and hosts (default: 1)'],
    ['--options <file>', 'JSON file with options of the library: config, faults, delayMs, accounts, ...'],
    ['--url <url>', 'public base URL, for a server in a container or behind a proxy'],
    [
      '--control <port>',
      'a port that shows the requests, resets, and changes faults, state and clock; 0: any free one',
    ],
    ['--control-token <token>', 'what requests to the control must have as bearer token (default: a random one)'],
    ['--until-stdin-ends', 'end also when the standard input ends, as when the program that started this one dies'],
    ['--fleet <hosts>', 'run this many virtual hosts of every kind over TLS, or the hosts of a fleet file'],
  ],
  more: `Serves the whole Loops interface on this machine until it is interrupted: OAuth
with consent pages, registration of apps, account, video, config and NodeInfo;
with seeded accounts and videos, and with faults on demand. Needs no network.
Prints its URL, the accounts and requests to paste. With the default --seed,
sign in as ada with the password delta-marble-otter-4832.`,
  examples: [
    'loopscout reference',
    'loopscout reference --profile live --tls --database kept.sqlite',
    'loopscout reference --options options.json --json',
    'loopscout reference --port 0 --json --control 0 --until-stdin-ends',
    'loopscout reference --fleet 300',
  ],
};

export interface ReferenceFlags {
  port?: string;
  host?: string;
  profile?: string;
  tls?: boolean;
  database?: string;
  seed?: string;
  options?: string;
  control?: string;
  controlToken?: string;
  url?: string;
  untilStdinEnds?: boolean;
  fleet?: string;
}

/** Options of a single server, refused with --fleet. */
const SINGLE_SERVER_OPTIONS = {
  host: '--host',
  url: '--url',
  profile: '--profile',
  tls: '--tls',
  database: '--database',
  options: '--options',
  control: '--control',
  controlToken: '--control-token',
} as const;

/** `reference`: runs one reference server, or a fleet, until it is interrupted or its output is closed. */
export const run: Run<ReferenceFlags> = async ({ options, terminal, outputFailed }) => {
  const start = parseFlags(options, terminal.cwd);
  using interrupt = abortOnSignal();
  await using started = await start();
  terminal.stdout.write(options.json === true ? `${JSON.stringify(started.facts)}\n` : `${started.text}\n`);
  const ends = [interrupt.signal, outputFailed];
  if (options.untilStdinEnds === true) ends.push(abortAtEnd(terminal.stdin));
  await untilAborted(AbortSignal.any(ends));
  return 0;
};

/**
 * Returns the function that starts the server or fleet described by the flags.
 * @throws {UsageError} naming every problem of the flags and of the files that they name.
 */
function parseFlags(flags: ReferenceFlags, cwd: string): () => Promise<Started> {
  const problems = createProblems();
  const read = <T>(text: string | undefined, reader: (text: string) => T) =>
    text === undefined ? undefined : problems.attempt(() => reader(text));
  const token = read(flags.controlToken, controlTokenOf);
  const url = read(flags.url, urlOf);
  const controlPort = read(flags.control, (text) => wholeNumber('--control', text, 0, 65_535));
  const numbers = {
    port: read(flags.port, (text) => wholeNumber('--port', text, 0, 65_535)),
    seed: read(flags.seed, (text) => wholeNumber('--seed', text, 0, 0xffff_ffff)),
  };
  const { host, tls, database } = flags;
  const profile = read(flags.profile, profileOf);
  const fleet = read(flags.fleet, (text) => fleetOf(text, cwd));
  if (flags.fleet !== undefined) {
    for (const [name, flag] of Object.entries(SINGLE_SERVER_OPTIONS)) {
      if (flags[name as keyof typeof SINGLE_SERVER_OPTIONS] === undefined) continue;
      problems.add(`${flag} cannot be combined with --fleet; set it per host in a fleet file`);
    }
    problems.throwIfAny();
    return () => startReferenceFleet({ ...withoutUndefined(numbers), ...fleet });
  }
  if (controlPort === undefined && flags.controlToken !== undefined) {
    problems.add('--control-token has no effect without --control; add --control 0');
  }
  const control = controlPort === undefined ? undefined : withoutUndefined({ port: controlPort, token });
  const file = read(flags.options, (text) => optionsFileOf(text, cwd, database));
  problems.throwIfAny();
  return () =>
    startReferenceServer({
      ...withoutUndefined({ ...numbers, host, url, profile, tls, database, control }),
      file,
      cwd,
    });
}

/** Aborts when the input ends, as it does when the program that started this one dies. */
function abortAtEnd(input: Terminal['stdin']): AbortSignal {
  const ended = new AbortController();
  if (input === undefined) ended.abort();
  input
    ?.on('close', () => ended.abort())
    .on('end', () => ended.abort())
    .on('error', () => ended.abort())
    .resume();
  return ended.signal;
}

function controlTokenOf(text: string): string {
  if (/^[\w.~+/-]+=*$/.test(text)) return text;
  throw new UsageError(`--control-token is ${JSON.stringify(text)}; allowed: letters, digits and -._~+/`);
}

function urlOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`--url is ${JSON.stringify(text)}; allowed: an absolute http or https URL`);
}

function profileOf(text: string): Profile {
  if (text === 'spec' || text === 'live') return text;
  throw new UsageError(`--profile is ${text}; allowed: spec or live`);
}

function withoutUndefined<T extends object>(flags: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
