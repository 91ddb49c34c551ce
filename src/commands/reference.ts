import { abortOnSignal } from '../app/app.ts';
import type { Profile } from '../reference/index.ts';
import { type Run, UsageError } from './command.ts';
import { createProblems } from './input/problems.ts';
import { untilAborted, wholeNumber } from './input/values.ts';
import { fleetOf, startReferenceFleet } from './reference-fleet.ts';
import { optionsFileOf, type Started, startReferenceServer } from './reference-server.ts';

export interface ReferenceFlags {
  port?: string;
  host?: string;
  profile?: string;
  tls?: boolean;
  database?: string;
  seed?: string;
  options?: string;
  fleet?: string;
}

/** What only a single server can be told. */
const ofOneServer = ['host', 'profile', 'tls', 'database', 'options'] as const;

/** `reference`: one reference server, or a fleet of them, until it is interrupted or nobody reads what it prints. */
export const run: Run<ReferenceFlags> = async ({ options, terminal, outputLost }) => {
  const start = judge(options, terminal.cwd);
  using interrupt = abortOnSignal();
  await using started = await start();
  terminal.stdout.write(options.json === true ? `${JSON.stringify(started.facts)}\n` : `${started.text}\n`);
  await untilAborted(AbortSignal.any([interrupt.signal, outputLost]));
  return 0;
};

/**
 * What the flags ask to be started.
 * @throws {UsageError} that names everything wrong with the flags and with the files that they name.
 */
function judge(flags: ReferenceFlags, cwd: string): () => Promise<Started> {
  const problems = createProblems();
  const read = <T>(text: string | undefined, reader: (text: string) => T) =>
    text === undefined ? undefined : problems.in(() => reader(text));
  const numbers = {
    port: read(flags.port, (text) => wholeNumber('--port', text, 0, 65_535)),
    seed: read(flags.seed, (text) => wholeNumber('--seed', text, 0, 0xffff_ffff)),
  };
  const { host, tls, database } = flags;
  const profile = read(flags.profile, profileOf);
  const fleet = read(flags.fleet, (text) => fleetOf(text, cwd));
  if (flags.fleet !== undefined) {
    for (const name of ofOneServer.filter((name) => flags[name] !== undefined)) {
      problems.add(`--${name} does not go with --fleet; say it of the hosts, in a fleet file`);
    }
    problems.tell();
    return () => startReferenceFleet({ ...given(numbers), ...fleet });
  }
  const file = read(flags.options, (text) => optionsFileOf(text, cwd, database));
  problems.tell();
  return () => startReferenceServer({ ...given({ ...numbers, host, profile, tls, database }), file, cwd });
}

function profileOf(text: string): Profile {
  if (text === 'spec' || text === 'live') return text;
  throw new UsageError(`--profile is ${text}; allowed: spec or live`);
}

/** An object without the keys that are undefined. */
function given<T extends object>(flags: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]?: Exclude<T[Key], undefined>;
  };
}
