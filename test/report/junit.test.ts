import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { Report } from '../../src/check/report.ts';
import { reportView } from '../../src/check/report-view.ts';
import { reportJunit as junitOf, type ReportJunitOptions } from '../../src/report/junit.ts';
import { brokenReport, hostileReport, SAMPLES, stockReport } from '../check/sample-reports.ts';

const schema = readFileSync(join(import.meta.dirname, 'junit.xsd'), 'utf8');

const reportJunit = (report: Report, options: ReportJunitOptions) => junitOf(reportView(report), options);

/** The faults of each document, as `name: fault`; the tool starts slowly, so it reads all at once. */
async function faultsOf(documents: readonly string[]): Promise<string[]> {
  const xml = documents.map((contents, index) => ({ fileName: `${index}.xml`, contents }));
  const { valid, errors, rawOutput } = await validateXML({ xml, schema: [schema] });
  return valid ? [] : errors.map(({ loc, message }) => `${loc?.fileName ?? rawOutput}: ${message}`);
}

const count = (xml: string, part: string) => xml.split(part).length - 1;

describe('the JUnit report', () => {
  it.for(Object.entries({ ...SAMPLES, hostile: hostileReport }))('of a %s server is valid', async ([, report]) => {
    expect(await faultsOf([false, true].map((isStrict) => reportJunit(report(), { isStrict })))).toEqual([]);
  });

  it('would be invalid with an unknown element, missing count, forbidden character or duplicate name', async () => {
    const xml = reportJunit(brokenReport(), { isStrict: false });
    const invalid = [
      xml.replace('<failure', '<fault').replace('</failure>', '</fault>'),
      xml.replace(/ tests="\d+"/, ''),
      xml.replace('wanted:', 'wanted: \u0001'),
      xml.replace('wanted:', ']]>'),
      xml.replace('name="tls-trusted"', 'name="tls-expiry"'),
    ];
    expect(invalid).not.toContain(xml);
    const faults = await faultsOf(invalid);
    for (const index of invalid.keys()) expect(faults.join('\n')).toContain(`${index}.xml: `);
  });

  it('has a suite per area and a test per rule, which fails for a failure, and under --strict for a warning', () => {
    const xml = reportJunit(brokenReport(), { isStrict: false });
    // One test for each of the 14 rules, and `is-loops`.
    expect(xml).toContain('<testsuites name="loopscout check loops.example" tests="15" failures="3"');
    expect(xml).toMatch(/<testsuite name="tls"[^>]* tests="2" failures="1"/);
    expect(xml).toContain('<testcase name="tls-expiry" classname="loops.example.tls"');
    expect(count(xml, '<failure ')).toBe(3);
    expect(xml).toMatch(/name="http-hsts"[^>]*>\s*<system-out><!\[CDATA\[warn\n/);
    const strict = reportJunit(brokenReport(), { isStrict: true });
    expect(count(strict, '<failure ')).toBe(4);
    expect(strict).toContain('type="warn"');
    expect(count(reportJunit(stockReport(), { isStrict: false }), '<failure ')).toBe(0);
  });

  it('skips the rules that could not be judged, and the summary counts them', () => {
    const notJudged = [{ id: 'oauth-token', area: 'oauth' as const, title: 'Tokens are issued' }];
    const report = { ...stockReport(), notJudged };
    const xml = reportJunit(report, { isStrict: true });
    expect(xml).toMatch(/<testcase name="oauth-token"[^>]*>\s*<skipped message="not judged/);
    expect(xml).toMatch(/<testsuites [^>]* skipped="1"/);
    expect(reportView(report).summary).toContain(', 1 not judged;');
  });

  it('has a test that fails when the server is not Loops, even without findings', () => {
    const xml = reportJunit({ ...brokenReport(), findings: [] }, { isStrict: false });
    expect(xml).toMatch(/<testcase name="is-loops"[^>]*>\s*<failure message="the host runs a single-page web app/);
    expect(reportJunit(stockReport(), { isStrict: true })).toMatch(/<testcase name="is-loops"[^>]*\/>/);
  });
});
