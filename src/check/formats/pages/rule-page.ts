import type { Rule } from '../../rule.ts';
import { codeBlock } from '../markdown/escape-markdown.ts';
import { AREA_NAMES } from '../told/areas.ts';
import { blocksOf } from '../told/blocks.ts';
import { linkedSource } from './linked-source.ts';

const WORST = {
  fail: '**fail**: it keeps clients or directories out, or breaks the specification; `check` exits with 1',
  warn: '**warn**: it costs something; `check` exits with 1 only under `--strict`',
  info: '**info**: worth knowing; there is nothing to cure',
} as const;

/** All about one rule, as a page in Markdown. */
export function rulePage({ id, area, worst, title, checks, why, sources, cure }: Rule): string {
  const parts = [
    `# ${id}`,
    `${title}.`,
    [`- Area: ${AREA_NAMES[area]} (\`${area}\`)`, `- At worst ${WORST[worst]}.`].join('\n'),
    '## What it checks',
    pageText(checks),
    '## Why it matters',
    pageText(why),
    '## Cure',
    pageText(cure),
    '## Sources',
    sources.map((source) => `- ${linkedSource(source)}`).join('\n'),
    `\`loopscout check ${PLACEHOLDER} --only ${id}\` checks just this, \`--skip ${id}\` all but this. [All rules](README.md)`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The domain of all pages; rules that name none write DOMAIN. */
const PLACEHOLDER = 'loops.example';

/** A text of ours as Markdown: its prose as it is, its lines to paste as blocks of code; items of a list stay together. */
function pageText(text: string): string {
  return blocksOf(text.replace(/\bDOMAIN\b/g, PLACEHOLDER))
    .map((block) => (block.kind === 'prose' ? block.text : codeBlock(block.lines)))
    .reduce((page, part) => {
      if (page === '') return part;
      const isNextItem = part.startsWith('- ') && /(?:^|\n)- [^\n]*$/.test(page);
      return `${page}${isNextItem ? '\n' : '\n\n'}${part}`;
    }, '');
}
