import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type SchemaNode, settingKeys, settingsJsonSchema } from '../../src/settings/keys.ts';

const PAGE = join(import.meta.dirname, '../../docs/settings.md');
const MARKED = /(?<=<!-- keys -->\n).*?(?=<!-- \/keys -->)/s;

it('docs/settings.md lists every key of the settings (npm test -- --update writes it)', async () => {
  const rows = settingKeys(settingsJsonSchema()).map(
    ({ name, node }) => `| \`${name}\` | ${defaultOf(node)} | ${inCell(node.description ?? '')} |`,
  );
  const table = ['| key | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toMatch(MARKED);
  await expect(page.replace(MARKED, () => table)).toMatchFileSnapshot(PAGE);
});

function defaultOf({ default: value }: SchemaNode): string {
  return value === undefined ? '' : `\`${inCell(JSON.stringify(value))}\``;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
