import { explanationText } from '../explain/text/explanation-text.ts';
import { explainDomain } from '../service/explain-domain.ts';
import { parseDomains } from '../settings/parse-domains.ts';
import { type Help, type Run, writeResult } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { wholeNumber } from './input/values.ts';
import { paintFor } from './output/output.ts';

export const help: Help = {
  argument: 'the domain to explain',
  options: [['--visits <number>', 'how many of the last visits to show (default: 5)']],
  more: `Shows from the database: the state of the domain and since when; whether it is
listed, why, and what would change that; its last known facts and their age;
their changes; the last visits step by step; when and why the next visit is
due. Visits nothing; a service may be running.

With --json: domain, state, since, verdict, reason, via, listed, why, visits,
nextVisit, nextVisitWhy and more. Times are ISO 8601 in UTC. The steps of a
visit are null once they were deleted (retention.stepsDays).

Exit code: 0, or 1 for an unknown domain (its state is null).`,
  examples: ['loopscout explain loops.example', 'loopscout explain loops.example --visits 20 --json'],
};

const DEFAULT_VISITS = '5';

/** `explain DOMAIN`: why it is listed or not, from the database. Exit code 1 for an unknown domain. */
export const run: Run<{ visits?: string }> = async (invocation) => {
  const { args, options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const visits = wholeNumber('--visits', options.visits ?? DEFAULT_VISITS, 0, 100_000);
  const [domain] = parseDomains(args.slice(0, 1), settings);
  if (domain === undefined) return 2;
  const explanation = explainDomain(settings, domain, { visits, now: Date.now() });
  writeResult(invocation, explanation, () => `${explanationText(explanation, paintFor(terminal.stdout))}\n`);
  return explanation.state === null ? 1 : 0;
};
