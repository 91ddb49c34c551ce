import { expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { reportView } from '../../src/check/report-view.ts';
import { badgeEndpoint, reportBadge } from '../../src/report/badge.ts';
import { brokenReport, healthyReport, hostileReport, stockReport } from '../check/sample-reports.ts';

it.for([
  ['passing', healthyReport()],
  ['passing, 1 warning', stockReport()],
  ['not seen as Loops', brokenReport()],
  ['unreachable', { ...brokenReport(), verdict: 'unreachable' as const }],
  ['not checked', { ...brokenReport(), offline: true }],
  ['2 failing', { ...brokenReport(), verdict: 'loops' as const }],
  ['1 failing', hostileReport()],
] as const)('the badge has the text "%s" and is well-formed', async ([words, report]) => {
  const svg = reportBadge(reportView(report));
  expect(svg).toContain(`aria-label="loops check: ${words}"`);
  const { valid } = await validateXML({ xml: [svg], schema: [ANY_SVG] });
  expect(valid).toBe(true);
});

it('the JSON badge is a shields.io endpoint without text from the server', () => {
  expect(JSON.parse(badgeEndpoint(reportView(stockReport())))).toEqual({
    schemaVersion: 1,
    label: 'loops check',
    message: 'passing, 1 warning',
    color: 'yellow',
    isError: false,
  });
  expect(JSON.parse(badgeEndpoint(reportView(hostileReport())))).toMatchObject({ message: '1 failing', color: 'red' });
});

const ANY_SVG = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://www.w3.org/2000/svg">
  <xs:element name="svg"><xs:complexType mixed="true">
    <xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence>
    <xs:anyAttribute processContents="skip"/>
  </xs:complexType></xs:element>
</xs:schema>`;
