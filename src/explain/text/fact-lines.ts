import { FACT_LEAVES } from '../../record/facts/fact-leaves.ts';
import { labelOf } from '../../record/facts/fact-meta.ts';
import type { ExplainedFact, Explanation } from '../explanation.ts';
import { fromNow } from '../time-words.ts';
import { valueText } from './value-text.ts';
import { wrap } from './wrap.ts';

const LABELS: ReadonlyMap<string, string> = new Map(FACT_LEAVES.map(({ path, meta }) => [path, labelOf(meta)]));

/** Columns of the longest label and two spaces. */
const LABEL = Math.max(...[...LABELS.values()].map(({ length }) => length)) + 2;

/** The heading of the facts: with their age, when the last visit did not read them. */
export function factTitle({ facts, asOf, lastVisit, state }: Explanation): string {
  const readAt = commonest(facts ?? []);
  const said = state === 'dead' || state === 'gone' ? 'said' : 'says';
  if (readAt === null || readAt === lastVisit) return `What it ${said} of itself`;
  const stale = (facts ?? []).some((fact) => fact.readAt === readAt && fact.standing === 'stale') ? ', stale' : '';
  return `What it ${said} of itself, read ${fromNow(Date.parse(readAt), Date.parse(asOf))}${stale}`;
}

/** What is known of the instance, with the age of what was read at another time than the rest; what is unknown comes last. */
export function factLines({ facts, asOf }: Explanation, width: number): string[] {
  if (facts === null) return [];
  const usual = commonest(facts);
  const known = facts.filter(({ standing }) => standing !== 'unknown');
  const unknown = facts.filter(({ standing }) => standing === 'unknown').map(({ path }) => labelAt(path));
  return [
    ...known.map((fact) => {
      const age = fact.readAt === usual ? '' : ageText(fact, Date.parse(asOf));
      return wrap(
        `${valueText(fact.value)}${age}`,
        width,
        `  ${labelAt(fact.path).padEnd(LABEL)}`,
        ' '.repeat(LABEL + 2),
      );
    }),
    ...(unknown.length === 0 ? [] : [wrap(`unknown: ${unknown.join(', ')}`, width, '  ', '    ')]),
  ];
}

function labelAt(path: string): string {
  return LABELS.get(path) ?? path;
}

function ageText({ standing, readAt }: ExplainedFact, now: number): string {
  if (readAt === null) return ' (stale: nobody knows how old)';
  return ` (${standing === 'stale' ? 'stale: ' : ''}read ${fromNow(Date.parse(readAt), now)})`;
}

/** When most of the known facts were read; null when none is known. */
function commonest(facts: readonly ExplainedFact[]): string | null {
  const counts = new Map<string, number>();
  for (const { readAt } of facts) if (readAt !== null) counts.set(readAt, (counts.get(readAt) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
}
