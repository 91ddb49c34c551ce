import type { Finding } from '../../report.ts';
import { type Block, blocksOf, paragraphsOf, proseLine } from '../told/blocks.ts';
import { MARKS } from './marks.ts';
import type { Paint } from './paint.ts';
import { wrapColumns } from './wrap-columns.ts';

/** What lines to paste begin with: little, as a terminal breaks what does not fit, and a copy of it should be one line. */
const PASTE = '    ';

/** A finding that is to be cured: what was wanted, what was found, what to do. */
export function findingLines({ id, severity, title, detail, cure }: Finding, columns: number, paint: Paint): string[] {
  const { sign, word, tag } = MARKS[severity];
  return [
    `${paint(tag, `${sign} ${word}`)}  ${paint(['bold'], id)}`,
    ...labelled('wanted', prose([proseLine(title, 300)]), columns, paint),
    ...labelled('found', prose(paragraphsOf(detail)), columns, paint),
    ...labelled('cure', blocksOf(cure ?? ''), columns, paint),
  ];
}

/** A finding that is only to be known: its id, and what was found. */
export function noteLines({ id, severity, detail }: Finding, columns: number, paint: Paint): string[] {
  const { sign, looks } = MARKS[severity];
  const [first = '', ...more] = wrapColumns(`${id}: ${paragraphsOf(detail).join(' ')}`, columns - 4).map(
    (line) => `    ${line}`,
  );
  const painted = first.startsWith(`    ${id}:`) ? first.replace(id, () => paint(['bold'], id)) : first;
  return [`  ${paint(looks, sign)} ${painted.trimStart()}`, ...more];
}

function prose(paragraphs: readonly string[]): Block[] {
  return paragraphs.map((text) => ({ kind: 'prose', text }));
}

function labelled(label: string, blocks: readonly Block[], columns: number, paint: Paint): string[] {
  return blockLines(`  ${label.padEnd(8)}`, blocks, columns, paint);
}

/** Paragraphs and lines to paste, the first one after `lead` and the others as far in. */
export function blockLines(lead: string, blocks: readonly Block[], columns: number, paint: Paint): string[] {
  return blocks.flatMap((block, index) => {
    if (block.kind === 'paste') {
      const lines = block.lines.map((line) => (line === '' ? '' : `${PASTE}${paint(['cyan'], line)}`));
      return ['', ...lines, ...(index === blocks.length - 1 ? [] : [''])];
    }
    const first = index === 0 ? lead : ' '.repeat(lead.length);
    return wrapColumns(block.text, columns, first);
  });
}
