import { type Clause, type ClientClause, LEVELS, type Level } from '../conform/clauses/clause.ts';
import { CLIENT_CLAUSES } from '../conform/clauses/client.ts';
import { conformClient } from '../conform/client/conform-client.ts';
import type { Drive, PlayOptions, Target } from '../conform/client/play.ts';
import { SCENARIOS, type Scenario } from '../conform/client/scenario.ts';
import type { ConformRun } from '../conform/conform.ts';
import type { ExpectedFailures } from '../conform/expected-failures.ts';
import type { PlannedProbe } from '../conform/report/listing.ts';
import { seededAccounts } from '../reference/index.ts';
import { wrapLines } from '../report/text-blocks.ts';
import { VERSION } from '../version.ts';
import { type ClientUnderTest, createDrive } from './client-under-test.ts';
import type { Invocation, Terminal } from './command.ts';
import {
  type ClauseFlags,
  type ConformFlags,
  clausesOf,
  expectedOf,
  oneOf,
  outFolderOf,
} from './input/conform-request.ts';
import { createProblems } from './input/problems.ts';
import { wholeNumber } from './input/values.ts';
import { columnsOf } from './output/table.ts';

/** A test of a server or of a client, as the command line describes it. */
export interface ConformTest {
  clauses: readonly Clause[];
  outFolder: string | null;
  /** The requests that a test of a server would send, for `--dry-run`. */
  planned: { base: string; probes: readonly PlannedProbe[] } | null;
  /** Null: the command line only lists the clauses. */
  execute: ((signal: AbortSignal) => Promise<ConformRun>) | null;
}

/**
 * `conform --client`: the reference server plays scenarios, and the requests of the client under test are judged.
 * @throws {UsageError} with one line per problem.
 */
export async function clientTest(invocation: Invocation<ConformClientFlags>): Promise<ConformTest> {
  const { options, terminal } = invocation;
  const request = await conformClientRequestOf(invocation);
  const { clauses, scenarios, client, outFolder } = request;
  return {
    clauses,
    outFolder,
    planned: null,
    execute: (signal) => {
      const drive = createDrive(client, terminal, signal);
      let count = 0;
      const announceAndDrive: Drive = (target) => {
        count += 1;
        if (options.quiet !== true) announce(target, `${count}/${scenarios.length}`, request.pages === true, terminal);
        return drive(target);
      };
      return conformClient({ ...request, drive: announceAndDrive, tool: `Loopscout ${VERSION}` });
    },
  };
}

/** Prints what the server does, what to do with the client, and the URL. */
function announce({ scenario, url, caFile }: Target, progress: string, pages: boolean, { stderr }: Terminal): void {
  const [account] = seededAccounts();
  const lines = [
    scenario.server,
    scenario.task,
    ...(pages && account !== undefined
      ? [`Sign in as ${account.username} with the password ${account.password}.`]
      : []),
    url,
    ...(caFile === null ? [] : [`Certificate authority: ${caFile}`]),
  ];
  const wrapped = lines.flatMap((line) => wrapLines(line, columnsOf(stderr), { first: '  ' }));
  stderr.write(`\n[${progress}] ${scenario.name}\n${wrapped.join('\n')}\n`);
}

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
interface ConformClientRequest extends PlayOptions {
  scenarios: readonly Scenario[];
  clauses: readonly ClientClause[];
  level: Level;
  expected: ExpectedFailures;
  outFolder: string | null;
  client: ClientUnderTest;
}

/** @throws {UsageError} with one line per problem. */
async function conformClientRequestOf({
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
