import type { Rule } from '../../rule.ts';
import type { Paint } from '../text/paint.ts';
import { wrapColumns } from '../text/wrap-columns.ts';

/** Every rule in a line or two, for a terminal. */
export function ruleList(rules: readonly Rule[], columns: number, paint: Paint): string {
  const width = Math.min(120, Math.max(40, columns));
  const longest = Math.max(0, ...rules.map(({ id }) => id.length));
  const lines = rules.flatMap(({ id, worst, title }) => {
    const lead = `${id.padEnd(longest)}  ${worst}  `;
    if (width - lead.length >= 24) {
      const [first = '', ...more] = wrapColumns(title, width, lead);
      return [first.replace(id, () => paint(['bold'], id)), ...more];
    }
    return [`${paint(['bold'], id)}  ${worst}`, ...wrapColumns(title, width, '    ')];
  });
  return lines.map((line) => `${line}\n`).join('');
}
