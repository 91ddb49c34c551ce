import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { Report } from '../../src/check/report.ts';
import { reportView } from '../../src/check/report-view.ts';
import { RULES } from '../../src/check/rules.ts';
import { reportText } from '../../src/report/text.ts';
import { REPORT_HEAD, schemaFile } from '../schema-file.ts';
import { checkHost, startOperatorHost } from './operator-host.ts';
import { hostileReport, SAMPLES } from './sample-reports.ts';

const file = join(import.meta.dirname, '../../data/check-report.schema.json');
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const validate = new Ajv2020({ strict: true, formats: { 'date-time': dateTime } }).compile(
  JSON.parse(readFileSync(file, 'utf8')),
);

describe('the JSON Schema of a report', () => {
  it('equals the committed file (npm test -- --update writes it)', async () => {
    await expect(schemaFile(Report, REPORT_HEAD)).toMatchFileSnapshot(file);
  });

  it.for(Object.entries({ ...SAMPLES, hostile: hostileReport }))('accepts the report of a %s server', ([, report]) => {
    validate(JSON.parse(JSON.stringify(report())));
    expect(validate.errors).toBeNull();
  });

  it('accepts a field added by a later version, and refuses a missing field or a word outside its vocabulary', () => {
    const report = SAMPLES.stock();
    expect(validate({ ...report, later: true })).toBe(true);
    expect(validate({ ...report, findings: undefined })).toBe(false);
    expect(validate({ ...report, verdict: 'good' })).toBe(false);
    expect(validate({ ...report, counts: { ...report.counts, fail: null } })).toBe(false);
  });
});

const PAGE = join(import.meta.dirname, '../../docs/check.md');
/** The report in the page, between its markers. */
const MARKED = /(?<=<!-- report -->\n```text\n).*?(?=```\n<!-- \/report -->)/s;

it('docs/check.md shows the report of a server that redirects neither http nor www (npm test -- --update writes it)', async () => {
  const host = await startOperatorHost({ http: 'serves', www: 'serves' });
  // Response times differ between machines.
  const report = await checkHost(host, { rules: RULES, skip: ['http-response-time'] });
  const redirectFindings = report.findings.filter(({ id }) => id === 'http-redirect' || id === 'http-www');
  expect(redirectFindings).toHaveLength(2);
  const shown = { ...report, durationMs: 400, findings: redirectFindings };
  const text = reportText(reportView(shown), { columns: 80, paint: (_looks, part) => part, quiet: true });
  const page = readFileSync(PAGE, 'utf8');
  expect(page).toMatch(MARKED);
  await expect(page.replace(MARKED, () => text)).toMatchFileSnapshot(PAGE);
});
