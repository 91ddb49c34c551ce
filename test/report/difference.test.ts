import { describe, expect, it } from 'vitest';
import { isGreen, type Report } from '../../src/check/report.ts';
import { reportView } from '../../src/check/report-view.ts';
import { reportDifference as differenceOf } from '../../src/report/difference.ts';
import { differenceText } from '../../src/report/text.ts';
import { findingOf, perfectReport, reportOf, stockReport, wreckReport } from '../check/sample-reports.ts';

const reportDifference = (before: Report, after: Report) => differenceOf(reportView(before), reportView(after));
const plain = (_looks: readonly string[], text: string) => text;
const ids = (findings: readonly { id: string }[]) => findings.map(({ id }) => id);

describe('what is another since the last look', () => {
  it('is nothing for the same report', () => {
    const difference = reportDifference(wreckReport(), wreckReport());
    expect(Object.values(difference).flat().filter(Boolean)).toEqual([]);
    expect(differenceText(difference, 80, plain)).toBe('');
  });

  it('is what was cured, what broke, what is wrong in another way, and the verdict', () => {
    const difference = reportDifference(wreckReport(), stockReport());
    expect(difference.verdict).toEqual({ from: 'unidentified', to: 'loops' });
    expect(ids(difference.cured).toSorted()).toEqual(['config-json', 'http-hsts', 'tls-expiry']);
    expect(ids(difference.broken)).toEqual(['robots-config']);
    const text = differenceText(difference, 80, plain);
    expect(text).toContain('The verdict was unidentified and is loops.');
    expect(text).toContain('✓ tls-expiry: As it should be.');
    expect(text).toContain('! WARN  robots-config\n');
  });

  it('tells a fail that is now a warning, a warning that is now a fail, and a rule that fell silent', () => {
    const fail = findingOf('config-json', { severity: 'fail', detail: 'HTML.', cure: 'Mend it.' });
    const warn = findingOf('config-json', { severity: 'warn', detail: 'Late.', cure: 'Mend it.' });
    expect(ids(reportDifference(reportOf([fail]), reportOf([warn])).other)).toEqual(['config-json']);
    expect(ids(reportDifference(reportOf([warn]), reportOf([fail])).broken)).toEqual(['config-json']);
    const without = perfectReport();
    const silent = { ...without, findings: without.findings.filter(({ id }) => id !== 'config-json') };
    expect(ids(reportDifference(reportOf([fail]), silent).silent)).toEqual(['config-json']);
  });
});

it('green is a server of the service with no fail, and under --strict with no warning', () => {
  expect(isGreen(perfectReport(), true)).toBe(true);
  expect(isGreen(stockReport(), false)).toBe(true);
  expect(isGreen(stockReport(), true)).toBe(false);
  expect(isGreen(wreckReport(), false)).toBe(false);
  expect(isGreen({ ...perfectReport(), verdict: 'declined' }, false)).toBe(false);
});
