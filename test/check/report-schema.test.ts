import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { reportSchema } from '../../src/check/report.ts';
import { hostileReport, SAMPLES } from './sample-reports.ts';

const file = join(import.meta.dirname, '../../data/check-report.schema.json');
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const validator = () =>
  new Ajv2020({ strict: true, formats: { 'date-time': dateTime } }).compile(JSON.parse(readFileSync(file, 'utf8')));

describe('the JSON Schema of a report', () => {
  it('that is committed is the one that reports have (npm test -- --update writes it)', async () => {
    await expect(reportSchema()).toMatchFileSnapshot(file);
  });

  it.for(Object.entries({ ...SAMPLES, hostile: hostileReport }))('accepts the report of a %s server', ([, report]) => {
    const validate = validator();
    validate(JSON.parse(JSON.stringify(report())));
    expect(validate.errors).toBeNull();
  });

  it('accepts a field that a later version adds, and refuses a missing one and a word of no vocabulary', () => {
    const validate = validator();
    const report = SAMPLES.stock();
    expect(validate({ ...report, later: true })).toBe(true);
    expect(validate({ ...report, findings: undefined })).toBe(false);
    expect(validate({ ...report, verdict: 'good' })).toBe(false);
    expect(validate({ ...report, counts: { ...report.counts, fail: null } })).toBe(false);
  });
});
