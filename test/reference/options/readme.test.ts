import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ServerOptionsFile } from '../../../src/reference/options/server-options-file.ts';

const readme = readFileSync(new URL('../../../src/reference/README.md', import.meta.url), 'utf8');
const optionsSection = readme.slice(readme.indexOf('\n## Options'), readme.indexOf('\n## Accounts and videos'));

it('the table of options in the README has every option, and no other', () => {
  const rows = [...optionsSection.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
  const options = Object.keys(ServerOptionsFile.shape).filter((name) => name !== '$schema');
  expect(rows.toSorted()).toEqual(options.toSorted());
});

it('every link in the README to one of its headings works', () => {
  // GitHub derives the anchor of a heading from its text.
  const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !anchors.includes(link ?? ''))).toEqual([]);
});
