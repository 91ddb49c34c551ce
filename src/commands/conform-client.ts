import type { Clause } from '../conform/clauses/clause.ts';
import { conformClient } from '../conform/client/conform-client.ts';
import type { Drive, Target } from '../conform/client/play.ts';
import type { ConformRun } from '../conform/conform.ts';
import type { PlannedProbe } from '../conform/report/listing.ts';
import { seededAccounts } from '../reference/index.ts';
import { wrapLines } from '../report/text-blocks.ts';
import { VERSION } from '../version.ts';
import { createDrive } from './client-under-test.ts';
import type { Invocation, Terminal } from './command.ts';
import { type ConformClientFlags, conformClientRequestOf } from './input/conform-client-request.ts';
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
