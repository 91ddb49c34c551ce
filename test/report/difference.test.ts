import { describe, expect, it } from 'vitest';
import { isGreen, type Report } from '../../src/check/report.ts';
import { reportView } from '../../src/check/report-view.ts';
import { reportDifference as differenceOf } from '../../src/report/difference.ts';
import { differenceText } from '../../src/report/text.ts';
import { brokenReport, findingOf, healthyReport, reportOf, stockReport } from '../check/sample-reports.ts';

const reportDifference = (before: Report, after: Report) => differenceOf(reportView(before), reportView(after));
const plain = (_looks: readonly string[], text: string) => text;
const ids = (findings: readonly { id: string }[]) => findings.map(({ id }) => id);

describe('the difference between two reports', () => {
  it('is empty for equal reports', () => {
    const difference = reportDifference(brokenReport(), brokenReport());
    expect(Object.values(difference).flat().filter(Boolean)).toEqual([]);
    expect(differenceText(difference, 80, plain)).toBe('');
  });

  it('lists cured and broken rules, other changes, and the verdict', () => {
    const difference = reportDifference(brokenReport(), stockReport());
    expect(difference.verdict).toEqual({ from: 'unidentified', to: 'loops' });
    expect(ids(difference.cured).toSorted()).toEqual(['config-json', 'http-hsts', 'tls-expiry']);
    expect(ids(difference.broken)).toEqual(['robots-config']);
    const text = differenceText(difference, 80, plain);
    expect(text).toContain('The verdict was unidentified and is loops.');
    expect(text).toContain('✓ tls-expiry: As it should be.');
    expect(text).toContain('! WARN  robots-config\n');
  });

  it('classifies a failure that became a warning, a warning that became a failure, and a rule without a result', () => {
    const fail = findingOf('config-json', { severity: 'fail', detail: 'HTML.', cure: 'Mend it.' });
    const warn = findingOf('config-json', { severity: 'warn', detail: 'Late.', cure: 'Mend it.' });
    expect(ids(reportDifference(reportOf([fail]), reportOf([warn])).other)).toEqual(['config-json']);
    expect(ids(reportDifference(reportOf([warn]), reportOf([fail])).broken)).toEqual(['config-json']);
    const healthy = healthyReport();
    const withoutRule = { ...healthy, findings: healthy.findings.filter(({ id }) => id !== 'config-json') };
    expect(ids(reportDifference(reportOf([fail]), withoutRule).silent)).toEqual(['config-json']);
  });
});

it('a report is green for a Loops server without failures, under --strict only if it has no warnings either', () => {
  expect(isGreen(healthyReport(), true)).toBe(true);
  expect(isGreen(stockReport(), false)).toBe(true);
  expect(isGreen(stockReport(), true)).toBe(false);
  expect(isGreen(brokenReport(), false)).toBe(false);
  expect(isGreen({ ...healthyReport(), verdict: 'declined' }, false)).toBe(false);
});
