import { type ClientClause, LEVELS, type Level } from '../../conform/clauses/clause.ts';
import { CLIENT_CLAUSES } from '../../conform/clauses/client.ts';
import type { PlayOptions } from '../../conform/client/play.ts';
import { SCENARIOS, type Scenario } from '../../conform/client/scenario.ts';
import type { ExpectedFailures } from '../../conform/expected-failures.ts';
import type { ClientUnderTest } from '../client-under-test.ts';
import type { Invocation } from '../command.ts';
import { type ClauseFlags, type ConformFlags, clausesOf, expectedOf, oneOf, outFolderOf } from './conform-request.ts';
import { createProblems } from './problems.ts';
import { wholeNumber } from './values.ts';

/** Options of a test of a server, refused with `--client`. */
const SERVER_OPTIONS = [
  'profile',
  'dryRun',
  'write',
  'apps',
  'username',
  'password',
  'token',
  'video',
  'approveButton',
  'rate',
  'timeout',
] as const satisfies readonly (keyof ConformFlags)[];

export interface ConformClientFlags extends ClauseFlags {
  client?: boolean;
  scenario?: string[];
  command?: string;
  exitCode?: boolean;
  for?: string;
  pages?: boolean;
  tls?: boolean;
  name?: string;
}

/** The parsed command line of `conform --client`. */
export interface ConformClientRequest extends PlayOptions {
  scenarios: readonly Scenario[];
  clauses: readonly ClientClause[];
  level: Level;
  expected: ExpectedFailures;
  outFolder: string | null;
  client: ClientUnderTest;
}

/** @throws {UsageError} with one line per problem. */
export async function conformClientRequestOf({
  args,
  options,
  terminal,
}: Invocation<ConformClientFlags & ConformFlags>): Promise<ConformClientRequest> {
  const problems = createProblems();
  if (args.length > 0) problems.add('--client needs no URL: the client under test connects to a server of Loopscout');
  for (const name of SERVER_OPTIONS.filter((name) => options[name] !== undefined)) {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    problems.add(`--${flag} cannot be combined with --client`);
  }
  const { command, exitCode = false, pages = false, tls = false, name } = options;
  if (exitCode && command === undefined) problems.add('--exit-code needs --command');
  if (name !== undefined && !/^[a-z\d]([a-z\d.-]{0,250}[a-z\d])?$/i.test(name)) {
    problems.add(`--name is ${name}; allowed: a host name without a port`);
  }
  const seconds = problems.attempt(() =>
    options.for === undefined ? null : wholeNumber('--for', options.for, 1, 86_400),
  );
  const names = SCENARIOS.map(({ name }) => name);
  const wanted = options.scenario ?? names;
  for (const one of wanted.filter((one) => !names.includes(one))) {
    problems.add(`--scenario is ${one}; allowed: ${names.join(', ')}`);
  }
  const request: ConformClientRequest = {
    scenarios: SCENARIOS.filter((scenario) => wanted.includes(scenario.name)),
    clauses: clausesOf(options, CLIENT_CLAUSES, problems),
    level: oneOf('--level', options.level ?? 'must', LEVELS, problems),
    expected: await expectedOf(options, CLIENT_CLAUSES, terminal.cwd, problems),
    outFolder: outFolderOf(options, terminal.cwd, problems),
    client: {
      command: command ?? null,
      seconds: seconds ?? null,
      usesExitCode: exitCode,
      isVerbose: options.verbose === true,
    },
    pages,
    tls,
    name,
  };
  problems.throwIfAny();
  return request;
}
