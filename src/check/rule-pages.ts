import { type Paint, wrapLines } from '../model/text/terminal-text.ts';
import { codeBlock } from '../report/markdown.ts';
import { textBlocks } from '../report/text-blocks.ts';
import { AREA_NAMES, areaOf, type Rule } from './rule.ts';

const SEVERITY_TEXTS = {
  fail: '**fail**: clients or directories cannot use the server, or it violates the specification; `check` exits with 1',
  warn: '**warn**: it causes some harm; `check` exits with 1 only with `--strict`',
  info: '**info**: worth knowing; there is nothing to cure',
} as const;

export function rulePage({ id, worst, title, checks, why, sources, cure }: Rule): string {
  const area = areaOf({ id });
  const parts = [
    `# ${id}`,
    `${title}.`,
    [`- Area: ${AREA_NAMES[area]} (\`${area}\`)`, `- At worst ${SEVERITY_TEXTS[worst]}.`].join('\n'),
    '## What it checks',
    pageText(checks),
    '## Why it matters',
    pageText(why),
    '## Cure',
    pageText(cure),
    '## Sources',
    sources.map((source) => `- ${linkedSource(source)}`).join('\n'),
    `\`loopscout check ${EXAMPLE_DOMAIN} --only ${id}\` checks only this rule, \`--skip ${id}\` all others. [All rules](README.md)`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Replaces DOMAIN in the texts of the rules. */
const EXAMPLE_DOMAIN = 'loops.example';

/** A text of a rule as Markdown: lines to paste become code blocks, and the items of a list stay together. */
function pageText(text: string): string {
  return textBlocks(text.replace(/\bDOMAIN\b/g, EXAMPLE_DOMAIN))
    .map((block) => (block.kind === 'prose' ? block.text : codeBlock(block.lines)))
    .reduce((page, part) => {
      if (page === '') return part;
      const isNextItem = part.startsWith('- ') && /(?:^|\n)- [^\n]*$/.test(page);
      return `${page}${isNextItem ? '\n' : '\n\n'}${part}`;
    }, '');
}

/** Every rule with its worst severity and its title, for a terminal. */
export function ruleList(rules: readonly Rule[], columns: number, paint: Paint): string {
  const width = Math.min(120, Math.max(40, columns));
  const longest = Math.max(0, ...rules.map(({ id }) => id.length));
  const lines = rules.flatMap(({ id, worst, title }) => {
    const lead = `${id.padEnd(longest)}  ${worst}  `;
    if (width - lead.length >= 24) {
      const [first = '', ...more] = wrapLines(title, width, { first: lead });
      return [first.replace(id, () => paint(['bold'], id)), ...more];
    }
    return [`${paint(['bold'], id)}  ${worst}`, ...wrapLines(title, width, { first: '    ' })];
  });
  return lines.map((line) => `${line}\n`).join('');
}

const RFC = 'https://www.rfc-editor.org/rfc/rfc';
const NODEINFO = 'https://github.com/jhass/nodeinfo/blob/main/';

/** Where sources other than RFCs can be read. The interface specification has no public URL. */
const SOURCE_URLS: readonly [name: RegExp, url: string][] = [
  [/NodeInfo protocol 2\.0/, `${NODEINFO}PROTOCOL.md`],
  [/NodeInfo 2\.0 schema/, `${NODEINFO}schemas/2.0/schema.json`],
  [/Fetch Standard, CORS-preflight fetch/, 'https://fetch.spec.whatwg.org/#cors-preflight-fetch'],
  [/Fetch Standard, CORS protocol/, 'https://fetch.spec.whatwg.org/#http-cors-protocol'],
  [/ActivityPub and WebFinger/, 'https://www.w3.org/community/reports/socialcg/CG-FINAL-apwf-20240608/'],
  [/ActivityPub section 3\.2/, 'https://www.w3.org/TR/activitypub/#retrieving-objects'],
  [/ActivityPub section 4\.1/, 'https://www.w3.org/TR/activitypub/#actor-objects'],
  [/ActivityPub section 7\.1\.3/, 'https://www.w3.org/TR/activitypub/#shared-inbox-delivery'],
  [/Semantic Versioning 2\.0\.0/, 'https://semver.org/spec/v2.0.0.html'],
  [/Unicode Standard Annex 9/, 'https://www.unicode.org/reports/tr9/'],
  [/Google Search Central/, 'https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag'],
  [/CA\/Browser Forum Baseline Requirements/, 'https://cabforum.org/working-groups/server/baseline-requirements/'],
  [
    /IANA special-purpose address registries/,
    'https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry.xhtml',
  ],
  [/Laravel documentation: Configuration, Debug Mode/, 'https://laravel.com/docs/configuration#debug-mode'],
  [/\bFEP-2677\b/, 'https://codeberg.org/fediverse/fep/src/branch/main/fep/2677/fep-2677.md'],
];

/** A source of a rule in Markdown, linked if it has a public URL. */
export function linkedSource(source: string): string {
  // URLs that are not part of a link or of another URL.
  const linked = source.replace(/(?<![<(\w/])https?:\/\/[^\s)>,;]+/g, '<$&>');
  return SOURCE_URLS.reduce((text, [name, url]) => text.replace(name, `[$&](${url})`), linked)
    .replace(/\bRFC (\d+)/g, `[RFC $1](${RFC}$1)`)
    .replace(/\bCWE-(\d+)/g, '[CWE-$1](https://cwe.mitre.org/data/definitions/$1.html)')
    .replace(/\bGHSA(?:-[a-z0-9]{4}){3}\b/g, '[$&](https://github.com/advisories/$&)');
}
