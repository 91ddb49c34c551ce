import type { z } from 'zod';
import { DomainLine } from '../../directory/schema/domain-line.ts';
import { SCHEMA_VERSION, schemaPath } from '../../directory/schema/fields.ts';
import { InstanceEntry } from '../../directory/schema/instance-entry.ts';
import { CHANGE_ONLY_FIELDS, ChangedField } from '../../model/change.ts';
import { DOMAIN_STATES } from '../../model/domain-record.ts';
import { INSTANCE_FLAGS } from '../../model/facts/instance-facts.ts';
import { MISSING } from '../../model/facts/missing.ts';
import { REASONS } from '../../model/reason.ts';
import { VERDICTS } from '../../model/verdict.ts';
import { publishedSchemas } from '../schema/published-schemas.ts';
import { type CodebookField, fieldsOf } from './fields-of.ts';

/** A vocabulary table in the codebook. */
interface WordTable {
  readonly title: string;
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const wordTables: readonly WordTable[] = [
  {
    title: 'Verdicts',
    about: 'The result of a visit, in `verdict`.',
    columns: ['verdict', 'when'],
    rows: rowsOf(VERDICTS),
  },
  {
    title: 'Reasons',
    about: 'The reason for the verdict, in `reason`.',
    columns: ['reason', 'meaning', 'verdicts'],
    rows: Object.entries(REASONS).map(([word, { verdicts, means }]) => [word, means, verdicts.join(', ')]),
  },
  {
    title: 'States',
    about: 'The state of a domain, in `state`.',
    columns: ['state', 'meaning'],
    rows: rowsOf(DOMAIN_STATES),
  },
  {
    title: 'Flags',
    about: 'Anomalies of an instance, in `flags`. A flag never keeps an instance from being listed.',
    columns: ['flag', 'meaning'],
    rows: rowsOf(INSTANCE_FLAGS),
  },
  {
    title: 'Missing values',
    about:
      'Why a value is null, in `missing`: of a visit, why no software was named; of a change, why `after` is unknown; of instances and counts, FIELD=CODE for each unknown field. In instances-all, the causes for an instance that is no longer visited are those of its last visit, as far as they are stored. In `stats`, `total` minus `reporting` is the number of instances of which the value is missing or implausible.',
    columns: ['code', 'meaning'],
    rows: rowsOf(MISSING),
  },
  {
    title: 'Fields of changes',
    about:
      'The changed fact, in `field`. Counts have daily samples instead of changes (`usage/`). The flags `crowded-domain`, `outdated` and `stale-facts` depend on the time or on other instances, and are in no change.',
    columns: ['field', 'meaning', 'also in'],
    rows: ChangedField.options.map(changedFieldRow),
  },
];

function rowsOf(words: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(words);
}

function changedFieldRow(field: ChangedField): [string, string, string] {
  const changeOnlyMeanings: Partial<Record<ChangedField, string>> = CHANGE_ONLY_FIELDS;
  const meaning = changeOnlyMeanings[field];
  if (meaning !== undefined) return [field, meaning, ''];
  for (const [shape, file] of [
    [DomainLine, 'domains.ndjson'],
    [InstanceEntry, 'instances.json'],
  ] as const) {
    const found = fieldsOf(shape).find(({ path }) => path === field);
    if (found !== undefined) return [field, found.meaning, file];
  }
  throw new Error(`${field} is in no published file: describe it in CHANGE_ONLY_FIELDS`);
}

const conventions = `## All files

- \`manifest.json\` lists every other file of an export but the dated ones, with size and SHA-256, and is written last; \`history/index.json\` lists the dated files.
  Files are written atomically, and rewritten only when something other than \`generatedAt\` changed.
- Each text file over 1 KB except the manifest has a compressed copy \`NAME.gz\` (RFC 1952).
- **Unknown is null**, never 0 and never false; \`missing\` says why, by a code (see Missing values). Totals say how many instances report the value.
- **Implausible counts are in no total**: \`implausible\` says how many instances are left out, and these have the flag \`counts-absurd\` or \`counts-random\`. Their
  counts are published as reported.
- Times are ISO 8601 in UTC with milliseconds. Days and months are in UTC.
- Texts from servers are published as read, with these exceptions: control and bidirectional characters become spaces or U+FFFD, graphemes of
  more than 12 code points or six letters become U+FFFD, white space in names and descriptions is collapsed, long texts are truncated, and a name or description of nothing visible is null. They are untrusted: escape them wherever they are shown.
- Rows are sorted: instances and domains by domain in binary order, visits and changes in the order of recording.
- Fields are only added. Removing a field or changing its type raises \`schemaVersion\`.
- Any field of type \`word\` may get new values: treat a value that you do not know as unknown. The JSON Schemas list the current words and
  accept any other. The end of this file explains verdicts, reasons, states, flags and the fields of changes; other words are explained with their field.
- Nothing is published about domains that opted out, or that ask to be left out: by \`X-Robots-Tag: noindex\` (or \`none\`), by a robots.txt that closes the site or its configuration endpoint to Loopscout by name, or by \`private\` or \`hide_in_statistics\` in the metadata of NodeInfo. Such a request holds until the same document is read again without it. Data recorded before the request is not published either. Where other domains redirect or point to such a domain, its name is null. A name or description in which another server mentions it is published as it is.

## Licence and citation

The publisher may state a licence and a DOI: they are in \`manifest.json\`, \`datapackage.json\` and \`CITATION.cff\`, and on the page \`/data\`. If there is none, ask
before you reuse the data where databases are protected. Servers publish these facts about themselves, and their names and descriptions belong to
their authors. The licence of the program (MIT) does not apply to the data. To cite the data, use \`CITATION.cff\` and give the
time of the export (\`generatedAt\` in \`manifest.json\`), preferably with the SHA-256 of the files used: most files are rewritten continuously. A dated file is
not: cite it by its date and SHA-256.

## CSV

RFC 4180: UTF-8, a header, lines that end with CRLF, quotes where needed. A nested field is the column of its path, joined by underscores: \`registration_open\`. Shares
always have a decimal point. CSV has no types: a reader that guesses them may take versions for numbers, so prefer Parquet or state the types of the schema. Null is an empty cell; an empty text or list is \`""\`. Booleans are \`true\`
and \`false\`, also in \`before\` and \`after\` of changes, whose texts are not quoted: \`field\` says what a value is.

The items of a list are joined by \`; \` (semicolon and space): \`mp4; webm\`. An item that is empty, or contains \`;\`, \`"\`, \`\\\` or a control
character, is written as a JSON string.

A text or list that begins with \`=\`, \`+\`, \`-\`, \`@\`, their full-width forms, a tab or a line end could be run as a formula by a
spreadsheet, so it is prefixed with an apostrophe (OWASP, CSV Injection); a text that begins with an apostrophe gets one more. To restore it,
remove one leading apostrophe.

## Parquet

The types of the columns never depend on the values. Times are INT64 with the logical type TIMESTAMP (milliseconds, UTC), whole numbers INT64, texts UTF-8, lists of texts LIST; \`before\` and \`after\` of
changes are the texts of the CSV, without the apostrophe. Null is null. Row groups have at most 10,000 rows.

## Dated files

\`history/YYYY-MM-DD.json.gz\` holds the instances as the first export of that day (UTC) published them, in the shape of \`instances.json\`. A day on which nothing was
published has no file, and is in \`gaps\` of \`history/index.json\`. Files are kept for 400 days, then the first of each month for good. They are rewritten only to remove
instances that opted out or ask not to be published; \`replaced\` in the index then has the size and SHA-256 of the earlier versions.

## Months

\`visits/\` and \`usage/\` have two files for each month (UTC) with visits that began or counts that were read in it, both with the same rows: Parquet, and CSV compressed with
gzip. Files of months are written less often than the rest (\`export.bulkHours\`). In the manifest, \`isComplete\` means that the files were written
a day or more after the end of the month. The service then leaves them unchanged, unless they name a domain that opted out or asks not to be published; the command \`export\`
rebuilds them without visits deleted since. A new request not to be published takes effect in files of months when these are next due.

- Visits are deleted after a time (\`retention.visitsDays\`, 400 days by default). As soon as visits of a month may have been deleted, its files are no longer
  built from the database: published files stay, without such domains. If no files were published for such a month, none will be.
- Usage has one row per instance and day on which counts were read, with the last counts of the day; these are stored forever.
- A visit made while the clock of the crawler was off by more than a day may be missing from the files of its month.
`;

/** The files without a schema. */
const otherFiles = `## \`domains.txt\`

The domains of the listed instances, one per line (LF), sorted as in \`instances.json\`; with the port when it is not 443.

## \`feed.atom\`

The 100 newest events as an Atom feed (RFC 4287), newest first: an instance was listed for the first time (\`new\`), is no longer listed
(\`gone\`), is listed again (\`back\`), or runs a newer version (\`upgraded\`). The word is the \`category\` of the entry, \`updated\` is its time,
and the link leads to the instance. The id of an entry is a hash of the event and the contact of the crawler, so it changes only when the contact changes. There is no link with \`rel="self"\`,
because the export does not know the URL at which it is published.

## \`datapackage.json\`

Every file of the export, and the columns of its CSV and NDJSON tables, by the [Data Package standard](https://datapackage.org) 2.0. Not part of the standard are \`rows\` and \`jsonSchema\` of a file,
and \`unit\` of a column. A list in CSV is described as a string, because its items may be quoted.

## \`CITATION.cff\`

How to cite the data, in the Citation File Format 1.2.0. The field \`version\` is the date of the last visit.
`;

/** `CODEBOOK.md`, generated from the published schemas: the same for every export of one version. */
export function* codebookText(): Iterable<string> {
  yield `# Codebook\n\nSchema version ${SCHEMA_VERSION}.\n\n${conventions}`;
  for (const { name, shape, files } of publishedSchemas) {
    yield `\n## ${files.map((file) => `\`${file}\``).join(', ')}\n\n`;
    yield `${shape.meta()?.description ?? ''} Schema: \`${schemaPath(name)}\`.\n\n`;
    yield* tableOf(shape);
  }
  yield `\n${otherFiles}`;
  for (const { title, about, columns, rows } of wordTables) {
    yield `\n## ${title}\n\n${about}\n\n${lineOf(columns)}${lineOf(columns.map(() => '---'))}`;
    for (const [word = '', ...rest] of rows) yield lineOf([`\`${word}\``, ...rest]);
  }
}

function* tableOf(shape: z.ZodObject): Iterable<string> {
  yield '| field | type | unit | meaning | null means | source |\n|---|---|---|---|---|---|\n';
  for (const field of fieldsOf(shape)) yield rowOf(field);
}

function rowOf({ path, type, unit, meaning, whenNull, source }: CodebookField): string {
  return lineOf([`\`${path}\``, type, unit ?? '', meaning, whenNull ?? 'never null', source ?? '']);
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |\n`;
}
