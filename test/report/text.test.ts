import { join } from 'node:path';
import { stripVTControlCharacters, styleText } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/check/report.ts';
import { reportView } from '../../src/check/report-view.ts';
import type { Paint } from '../../src/model/text/terminal-text.ts';
import { type ReportTextOptions, reportText as textOf } from '../../src/report/text.ts';
import { brokenReport, findingOf, hostileReport, reportOf, SAMPLES } from '../check/sample-reports.ts';

const reportText = (report: Report, options: ReportTextOptions) => textOf(reportView(report), options);
const plain: Paint = (_looks, text) => text;
const colours: Paint = (looks, text) => styleText([...looks], text, { validateStream: false });

describe.for(Object.entries(SAMPLES))('the report of a %s server', ([name, report]) => {
  it.for([80, 120, 40])('matches its snapshot at %i columns (--update writes it)', async (columns) => {
    const text = reportText(report(), { columns, paint: plain });
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, `views/${name}-${columns}.txt`));
  });

  it.for([80, 120, 40])('fits %i columns, except for lines to paste', (columns) => {
    const text = reportText(report(), { columns, paint: plain });
    const pasted = report().findings.flatMap(
      ({ cure }) => cure?.split('\n').filter((line) => /^ {4}/.test(line)) ?? [],
    );
    const wide = text.split('\n').filter((line) => stringWidth(line) > columns);
    for (const line of wide) expect(pasted.map((pastedLine) => pastedLine.trim())).toContain(line.trim());
  });

  it('conveys nothing by colour alone: the text is the same without it', () => {
    const painted = reportText(report(), { columns: 80, paint: colours });
    expect(painted).toContain('\u001b[');
    expect(stripVTControlCharacters(painted)).toBe(reportText(report(), { columns: 80, paint: plain }));
  });
});

it('the text report has severity, rule, wanted state and lines to paste of every finding with a cure', () => {
  const text = reportText(brokenReport(), { columns: 80, paint: plain });
  for (const { id, severity, cure } of brokenReport().findings.filter(({ cure }) => cure !== null)) {
    expect(text).toContain(`${severity === 'fail' ? '✗ FAIL' : '! WARN'}  ${id}\n  wanted  `);
    for (const line of cure?.split('\n').filter((cureLine) => cureLine.startsWith('    ')) ?? [])
      expect(text).toContain(`\n${line}\n`);
  }
});

it('a cure that starts with lines to paste keeps its label', () => {
  const finding = findingOf('config-json', { severity: 'fail', cure: '    php artisan optimize\nThen check again.' });
  const text = reportText(reportOf([finding]), { columns: 80, paint: plain });
  expect(text).toContain('\n  cure\n    php artisan optimize\n\n          Then check again.\n');
});

it('the text report has the verdict first, failures before warnings, and passes last', () => {
  const text = reportText(brokenReport(), { columns: 80, paint: plain });
  expect(text).toMatch(/^✗ FAIL {2}loops\.example is not seen as a Loops server: /);
  const sections = [
    'A directory will show',
    'How clients see it',
    '✗ FAIL  tls-expiry',
    '! WARN  http-hsts',
    'Passed: 11 of 14',
  ];
  const positions = sections.map((section) => text.indexOf(section));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
});

it('the text report with quiet has only failures and warnings, and is empty without any', () => {
  expect(reportText(reportOf(), { columns: 80, paint: plain, quiet: true })).toBe('');
  const withInfos = reportOf([findingOf('oauth-revoke', { severity: 'info' })]);
  expect(reportText(withInfos, { columns: 80, paint: plain, quiet: true })).toBe('');
  const text = reportText(brokenReport(), { columns: 80, paint: plain, quiet: true });
  for (const kept of ['FAIL  tls-expiry', 'WARN  http-hsts', 'certbot renew']) expect(text).toContain(kept);
  for (const gone of ['A directory', 'clients', 'Passed']) expect(text).not.toContain(gone);
});

it('the text report aligns and breaks text in other scripts, even without spaces', () => {
  const report = reportOf();
  const instance = {
    ...(report.instance ?? expect.fail()),
    description: '海辺の短い動画を集める場所です。'.repeat(12),
  };
  const text = reportText({ ...report, instance }, { columns: 60, paint: plain });
  expect(text.split('\n').filter((line) => stringWidth(line) > 60)).toEqual([]);
  expect(text.match(/海辺/g)?.length).toBeGreaterThan(9);
});

it('the text report shows hostile text as plain text: without control or bidi characters, and bounded', () => {
  const text = reportText(hostileReport(), { columns: 80, paint: plain });
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
  expect(text.length).toBeLessThan(60_000);
  expect(text.isWellFormed()).toBe(true);
});

it('the text report never formats text from the server as lines to paste', () => {
  const detail = 'It says:\n    rm -rf /\n```\nrm -rf /\n```';
  const text = reportText(reportOf([findingOf('config-json', { severity: 'fail', detail, cure: 'Mend it.' })]), {
    columns: 80,
    paint: plain,
  });
  expect(text).not.toMatch(/^ {4}rm/m);
  expect(text).toContain('          rm -rf /');
});

it('the text report breaks a URL longer than a line after punctuation, without losing any of it', () => {
  const address = `https://loops.example/${'part-of-it/'.repeat(12)}?q=${'x'.repeat(120)}`;
  const report = reportOf([
    findingOf('config-json', { severity: 'fail', detail: `It is ${address}.`, cure: 'Mend it.' }),
  ]);
  const text = reportText(report, { columns: 60, paint: plain });
  expect(text.split('\n').filter((line) => stringWidth(line) > 60)).toEqual([]);
  expect(text.replaceAll(/\n +/g, '')).toContain(address);
  expect(text).toMatch(/part-of-it\/\n +part-of-it/);
});

it('the text report says that all checks passed only if all did', () => {
  expect(reportText(reportOf(), { columns: 120, paint: plain })).toContain('and passes all 14 checks.');
  const withInfos = (...ids: string[]) =>
    reportText(reportOf(ids.map((id) => findingOf(id, { severity: 'info' }))), { columns: 120, paint: plain });
  expect(withInfos('oauth-revoke')).toContain('; nothing is wrong, and one thing is worth knowing.');
  expect(withInfos('oauth-revoke', 'dns-ipv6')).toContain('; nothing is wrong, and 2 things are worth knowing.');
  expect(withInfos('oauth-revoke')).not.toContain('passes all');
});

it('the text report shows an internationalized domain both encoded and decoded', () => {
  const text = reportText({ ...reportOf(), domain: 'xn--mnchen-3ya.de:8443' }, { columns: 120, paint: plain });
  expect(text).toMatch(/^✓ PASS {2}xn--mnchen-3ya\.de:8443 \(münchen\.de:8443\) runs Loops/);
});

it('the text report states that nothing was changed on the server', () => {
  expect(reportText(reportOf(), { columns: 120, paint: plain })).toContain('Nothing was changed on the server.');
});

it('the text report shows no finding if this machine is offline', () => {
  const report = {
    ...reportOf([], { verdict: 'unreachable', reason: 'dns-timeout', instance: null, clients: [] }),
    offline: true,
    cutShort: 'this machine is offline: its name servers resolve no name',
  };
  for (const quiet of [true, false]) {
    const text = reportText(report, { columns: 120, paint: plain, quiet });
    expect(text).toMatch(
      /^! WARN {2}loops\.example was not checked: this machine is offline: its name servers resolve no name\.\n/,
    );
    for (const blame of ['not seen as', 'A directory', 'How clients', 'Not every request was made'])
      expect(text).not.toContain(blame);
  }
});
