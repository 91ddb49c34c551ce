import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AREA_NAMES, AREAS, areaOf } from '../../src/check/rule.ts';
import { linkedSource, rulePage } from '../../src/check/rule-pages.ts';
import { RULES } from '../../src/check/rules.ts';
import { codeBlock } from '../../src/report/markdown.ts';

const folder = join(import.meta.dirname, '../../data/check');

describe('the pages of the rules', () => {
  it.for(RULES.map((rule) => [rule.id, rule] as const))(
    'equal the committed page for %s (npm test -- --update writes it)',
    async ([id, rule]) => {
      await expect(rulePage(rule)).toMatchFileSnapshot(join(folder, `${id}.md`));
    },
  );

  it('have a complete index (npm test -- --update writes it)', async () => {
    await expect(ruleIndex()).toMatchFileSnapshot(join(folder, 'README.md'));
    const linked = [...ruleIndex().matchAll(/\]\(([a-z0-9-]+)\.md\)/g)].map(([, id]) => id);
    expect(linked).toEqual(RULES.map(({ id }) => id));
  });

  it('each belong to a rule (delete the page of a removed rule)', () => {
    const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
    const expectedPages = new Set(RULES.map(({ id }) => `${id}.md`));
    expect(pages.filter((name) => !expectedPages.has(name))).toEqual([]);
  });

  it('have no cure that edits a file in the repository of Loops, which would conflict with the next update', () => {
    // Files of the repository, and calls that only these files contain.
    const repositoryFiles = /bootstrap\/app\.php|app\/Providers|routes\/|RateLimiter::|trustProxies|validateCsrfTokens/;
    for (const rule of RULES) expect(rule.cure, rule.id).not.toMatch(repositoryFiles);
  });

  it('have a check, a reason, a cure and at least one source', () => {
    for (const rule of RULES) {
      const page = rulePage(rule);
      for (const heading of ['## What it checks', '## Why it matters', '## Cure', '## Sources'])
        expect(page, rule.id).toMatch(new RegExp(`^${heading}\n\n\\S`, 'm'));
    }
  });
});

it('a page keeps list items together, formats lines to paste as code, and links its sources', () => {
  const page = rulePage({
    ...(RULES[0] ?? expect.fail('there is no rule')),
    id: 'api-rule',
    checks: 'It looks at:\n\n- one;\n- another.\n\nAnd more.',
    cure: 'Do:\n\n    `this`\n\n    that',
    sources: ['RFC 9309 section 2.3.1', 'https://docs.example/a', 'Specification 2.5'],
  });
  expect(page).toMatch(/^# api-rule\n/);
  expect(page).toContain('\nIt looks at:\n\n- one;\n- another.\n\nAnd more.\n');
  expect(page).toContain(`Do:\n\n${codeBlock(['`this`', '', 'that'])}\n`);
  expect(page).toContain(
    '- [RFC 9309](https://www.rfc-editor.org/rfc/rfc9309) section 2.3.1\n- <https://docs.example/a>\n- Spec',
  );
});

it.for<[source: string, linked: string]>([
  [
    'Fetch Standard, CORS protocol',
    '[Fetch Standard, CORS protocol](https://fetch.spec.whatwg.org/#http-cors-protocol)',
  ],
  ['CWE-489', '[CWE-489](https://cwe.mitre.org/data/definitions/489.html)'],
  [
    'GHSA-jhrq-qvrm-qr36 (Mastodon)',
    '[GHSA-jhrq-qvrm-qr36](https://github.com/advisories/GHSA-jhrq-qvrm-qr36) (Mastodon)',
  ],
  ['https://docs.example/a', '<https://docs.example/a>'],
  ['Interface specification 2.5', 'Interface specification 2.5'],
])('the source %s is linked if it has a public URL', ([source, linked]) => {
  expect(linkedSource(source)).toBe(linked);
});

it('every source has a link, except the specification, which has no public URL, and the official app', () => {
  const unlinked = RULES.flatMap(({ sources }) => sources.filter((source) => !/https?:/.test(linkedSource(source))));
  expect(
    unlinked.filter((source) => !/specification \d|specification sections? |The official app/i.test(source)),
  ).toEqual([]);
});

it('no page uses DOMAIN as the placeholder of a domain', () => {
  for (const rule of RULES) expect(rulePage(rule), rule.id).not.toMatch(/\bDOMAIN\b/);
});

/** The index of the rule pages, in Markdown. */
function ruleIndex(): string {
  const sections = AREAS.map((area) => ({ area, members: RULES.filter((rule) => areaOf(rule) === area) }))
    .filter(({ members }) => members.length > 0)
    .map(({ area, members }) =>
      [
        `## ${AREA_NAMES[area]} (\`${area}\`)`,
        [
          '| rule | true when it passes | at worst |',
          '| --- | --- | --- |',
          ...members.map(
            ({ id, title, worst }) => `| [${id}](${id}.md) | ${title.replaceAll('|', String.raw`\|`)} | ${worst} |`,
          ),
        ].join('\n'),
      ].join('\n\n'),
    );
  return `${['# Rules of `loopscout check`', INTRODUCTION, ...sections].join('\n\n')}\n`;
}

const INTRODUCTION = `What the check examines, by area. **fail**: clients or directories cannot use the server, or it violates the specification; **warn**: some
harm; **info**: worth knowing. Ids are stable; \`--only\` and \`--skip\` accept ids and areas. A rule reports nothing when it does not apply to a server,
or when its subject is missing for a reason that another rule reports. \`loopscout check --rule ID\` prints a page.

A server on this machine (\`http://127.0.0.1:8089\`) needs neither https nor a public name: the rules on DNS, TLS, HSTS, HTTP/2 and the redirects of http and www do not
apply, and a URL in its documents with another host than the one checked is at most info.`;
