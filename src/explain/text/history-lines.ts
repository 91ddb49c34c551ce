import type { ExplainedStep, Explanation } from '../explanation.ts';
import { fromNow, utc } from '../time-words.ts';
import { valueText } from './value-text.ts';
import { wrap } from './wrap.ts';

/** What changed, a line each and what moved it. */
export function changeLines({ changes }: Explanation, width: number): string[] {
  return changes.map(({ at, field, from, to, why, cause }) => {
    const because = [why, cause === 'replay' ? 'read anew by newer parsers' : null].filter((part) => part !== null);
    const what = `${field === 'conclusive' ? 'found to be' : field}: ${valueText(from)} -> ${valueText(to)}`;
    const told = because.length === 0 ? what : `${what} (${because.join('; ')})`;
    return wrap(told, width, `  ${utc(Date.parse(at))}  `, '    ');
  });
}

/** Columns of the longest name of a step and two spaces. */
const LABEL = 15;

/** The visits step by step. */
export function visitLines({ visits, asOf }: Explanation, width: number): string[] {
  const now = Date.parse(asOf);
  return visits.flatMap(({ at, verdict, means, steps }) => {
    const head = `${utc(Date.parse(at))}, ${fromNow(Date.parse(at), now)}: ${verdict}, ${means}`;
    const lines = steps === null ? ['    what it asked is no longer kept'] : steps.map((step) => stepLine(step, width));
    return [wrap(head, width, '  ', '    '), ...lines];
  });
}

function stepLine({ what, came, ms, status, failure, probe }: ExplainedStep, width: number): string {
  const hasAsked = status !== null || failure !== null || probe === 'dns';
  return wrap(hasAsked ? `${came}, ${ms} ms` : came, width, `    ${what.padEnd(LABEL)}`, ' '.repeat(LABEL + 4));
}
