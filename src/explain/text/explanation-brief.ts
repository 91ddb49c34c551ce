import type { Explanation } from '../explanation.ts';
import { listItem } from './list-item.ts';
import { wrap } from './wrap.ts';

const WIDTH = 80;

/** Whether a domain is listed and, where something is wanting, what would change it: the start of the whole answer. */
export function explanationBrief({ headline, why, whatWouldChange }: Explanation): string {
  const cures = whatWouldChange.map((cure) => listItem(cure, WIDTH));
  return [wrap(headline, WIDTH), wrap(why, WIDTH), ...cures].join('\n');
}
