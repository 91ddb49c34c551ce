import { type Paint, type Rule, ruleList, rulePage } from '../app.report.ts';
import { unknownRule } from './check-request.ts';
import { UsageError } from './command.ts';

interface Shown {
  isJson: boolean;
  columns: number;
  paint: Paint;
}

/** What `check --rules` prints. */
export function rulesText(rules: readonly Rule[], { isJson, columns, paint }: Shown): string {
  return isJson ? `${JSON.stringify(rules.map(facts), null, 2)}\n` : ruleList(rules, columns, paint);
}

/**
 * What `check --rule ID` prints.
 *
 * @throws {UsageError} when there is no such rule.
 */
export function ruleText(rules: readonly Rule[], id: string, { isJson }: Pick<Shown, 'isJson'>): string {
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) throw new UsageError(unknownRule(id, rules));
  return isJson ? `${JSON.stringify(facts(rule), null, 2)}\n` : rulePage(rule);
}

function facts({ id, area, worst, title, checks, why, sources, cure }: Rule): Omit<Rule, 'judge'> {
  return { id, area, worst, title, checks, why, sources, cure };
}
