import { wrap } from './wrap.ts';

/** An item of a list; lines below its first are to be copied, and stand by themselves. */
export function listItem(text: string, width: number): string {
  const [first = '', ...copied] = text.split('\n');
  return [wrap(first, width, '  - ', '    '), ...copied.map((line) => `      ${line}`)].join('\n');
}
