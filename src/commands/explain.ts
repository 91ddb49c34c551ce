import { explanationText } from '../explain/text/explanation-text.ts';
import { explainDomain } from '../service/explain-domain.ts';
import { parseDomains } from '../settings/parse-domains.ts';
import type { Run } from './command.ts';
import { settingsOf } from './input/open-app.ts';
import { wholeNumber } from './input/values.ts';
import { paintFor } from './output/output.ts';

const DEFAULT_VISITS = '5';

/** `explain DOMAIN`: why it is listed or not, from the database. Exit code 1 for an unknown domain. */
export const run: Run<{ visits?: string }> = async (invocation) => {
  const { args, options, terminal } = invocation;
  const settings = settingsOf(invocation);
  const visits = wholeNumber('--visits', options.visits ?? DEFAULT_VISITS, 0, 100_000);
  const [domain] = parseDomains(args.slice(0, 1), settings);
  if (domain === undefined) return 2;
  const explanation = explainDomain(settings, domain, { visits, now: Date.now() });
  const text =
    options.json === true
      ? JSON.stringify(explanation, null, 2)
      : explanationText(explanation, paintFor(terminal.stdout));
  terminal.stdout.write(`${text}\n`);
  return explanation.state === null ? 1 : 0;
};
