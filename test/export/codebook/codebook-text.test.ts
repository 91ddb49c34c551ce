import { describe, expect, test } from 'vitest';
import { InstancesFile } from '../../../src/directory/schema/instances-file.ts';
import { jsonSchemaText } from '../../../src/directory/schema/json-schema-text.ts';
import { codebookText } from '../../../src/export/codebook/codebook-text.ts';
import { fieldsOf } from '../../../src/export/codebook/fields-of.ts';
import { exportAll } from '../../../src/export/export-all.ts';
import { publishedSchemas } from '../../../src/export/schema/published-schemas.ts';
import { UsageLine } from '../../../src/export/schema/usage-line.ts';
import { CHANGE_ONLY_FIELDS, ChangedField } from '../../../src/model/change.ts';
import { DOMAIN_STATES } from '../../../src/model/domain-record.ts';
import { INSTANCE_FLAGS } from '../../../src/model/facts/instance-facts.ts';
import { REASONS } from '../../../src/model/reason.ts';
import { VERDICTS } from '../../../src/model/verdict.ts';
import { newFolder } from '../export-folder.ts';
import { fieldsOfSchema } from '../fields-of-schema.ts';
import { emptySource } from '../row-of.ts';

const text = [...codebookText()].join('');

describe.each(publishedSchemas.map((schema) => [schema.name, schema] as const))(
  'for the schema %s, the codebook',
  (name, { shape }) => {
    const fields = fieldsOf(shape);
    const published = fieldsOfSchema(JSON.parse(jsonSchemaText(name, shape))).filter((line) => !line.includes(' = '));

    test('has every field that the schema has', () => {
      // A line is `PATH TYPE` or `PATH list of TYPE`. A list of objects is described by the fields of its items.
      const paths = published
        .map((line) => line.split(' '))
        .filter(([, type = '']) => !type.startsWith('object'))
        .filter(([path = '', , of]) => {
          const isListOfObjects = of === 'of' && published.some((line) => line.startsWith(`${path}[].`));
          return !isListOfObjects;
        })
        .map(([path]) => path);
      expect(fields.map(({ path }) => path)).toEqual(paths);
      for (const path of paths) expect(text).toContain(`| \`${path}\` |`);
    });

    test('gives the meaning and source of each field, the unit of each number, and the meaning of each possible null', () => {
      const nullable = new Set(published.filter((line) => /\bnull\b/.test(line)).map((line) => line.split(' ')[0]));
      for (const { path, meaning, type, unit, whenNull, source } of fields) {
        expect(meaning.length, path).toBeGreaterThan(3);
        expect(source, path).not.toBeNull();
        if (type === 'integer' || type === 'number') expect(unit, path).not.toBeNull();
        expect([path, whenNull !== null]).toEqual([path, nullable.has(path)]);
      }
    });
  },
);

test('the codebook explains every vocabulary word, every field of changes, and what happens to files whose rows were deleted', () => {
  const tables = [REASONS, VERDICTS, DOMAIN_STATES, INSTANCE_FLAGS, CHANGE_ONLY_FIELDS];
  for (const words of tables) {
    for (const [word, entry] of Object.entries(words)) {
      const means = typeof entry === 'string' ? entry : entry.means;
      expect(text).toContain(`| \`${word}\` | ${means} |`);
    }
  }
  for (const field of ChangedField.options) {
    const [, meaning = ''] =
      new RegExp(`\n## Fields of changes\n.*\n\\| \`${field}\` \\| ([^|]+) \\|`, 's').exec(text) ?? [];
    expect(meaning.length, field).toBeGreaterThan(10);
  }
  expect(text).toContain('published files stay');
});

test('the codebook names the document that each field is read from, or Loopscout itself', () => {
  const sources = new Map(
    fieldsOf(InstancesFile).map(({ path, source }) => [path.replace('instances[].', ''), source]),
  );
  for (const path of ['registration.mode', 'federation', 'features.gifProvider', 'limits.maxBioLength']) {
    expect(sources.get(path), path).toMatch(/^config `/);
    expect(sources.get(path), path).not.toContain('NodeInfo');
  }
  expect(sources.get('usage.users')).toContain('NodeInfo');
  expect(sources.get('registration.open')).toMatch(/^config `registration`, else NodeInfo/);
  expect(fieldsOf(UsageLine)[0]).toMatchObject({ path: 'domain', source: 'Loopscout' });
});

test('the codebook describes every file of an export', async () => {
  const dir = await newFolder();
  const { files } = await exportAll({ source: emptySource, dir, now: () => 0, toolVersion: '1.0.0' });
  const described = files.map(({ name }) => name).filter((name) => !/^schema\/|\.gz$|^CODEBOOK/.test(name));
  expect(described).toContain('feed.atom');
  for (const name of described) expect(text).toMatch(new RegExp(`^## .*\`${name.replaceAll('.', '\\.')}\``, 'm'));
});
