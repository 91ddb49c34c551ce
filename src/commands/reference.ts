import { abortOnSignal } from '../app.ts';
import { type Run, UsageError } from './command.ts';
import { startReferenceFleet } from './reference-fleet.ts';
import { startReferenceServer } from './reference-server.ts';
import { wholeNumber } from './whole-number.ts';

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

/** `reference`: one reference server, or a fleet of them, until it is interrupted. */
export const run: Run<ReferenceFlags> = async ({ options, terminal }) => {
  const { profile } = options;
  if (profile !== undefined && profile !== 'spec' && profile !== 'live') {
    throw new UsageError(`--profile is ${profile}; allowed: spec or live`);
  }
  const numbers = {
    ...(options.port === undefined ? {} : { port: wholeNumber('--port', options.port, 0, 65_535) }),
    ...(options.seed === undefined ? {} : { seed: wholeNumber('--seed', options.seed, 0, 0xffff_ffff) }),
  };
  const tooMuch = ofOneServer.find((name) => options.fleet !== undefined && options[name] !== undefined);
  if (tooMuch !== undefined) {
    throw new UsageError(`--${tooMuch} does not go with --fleet; say it of the hosts, in a fleet file`);
  }
  using interrupt = abortOnSignal();
  await using started =
    options.fleet === undefined
      ? await startReferenceServer({
          ...numbers,
          ...(options.host === undefined ? {} : { host: options.host }),
          ...(profile === undefined ? {} : { profile }),
          ...(options.tls === undefined ? {} : { tls: options.tls }),
          ...(options.database === undefined ? {} : { database: options.database }),
          ...(options.options === undefined ? {} : { optionsFile: options.options }),
          cwd: terminal.cwd,
        })
      : await startReferenceFleet({ ...numbers, fleet: options.fleet, cwd: terminal.cwd });
  terminal.stdout.write(options.json === true ? `${JSON.stringify(started.facts)}\n` : `${started.text}\n`);
  if (!interrupt.signal.aborted) {
    await new Promise((resolve) => interrupt.signal.addEventListener('abort', resolve, { once: true }));
  }
  return 0;
};
