import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportView } from '../../src/check/report-view.ts';
import { RULES } from '../../src/check/rules.ts';
import { reportText } from '../../src/report/text.ts';
import { CURED_ROBOTS, checkHost, startOperatorHost } from './operator-host.ts';

const file = join(import.meta.dirname, '../../README.md');
const MARKED = /(?<=<!-- report -->\n```text\n).*?(?=```\n<!-- \/report -->)/s;

it('the report in the README is that of a stock robots.txt and no HSTS (npm test -- --update writes it)', async () => {
  const host = await startOperatorHost({ hsts: null });
  host.server.state.robots = CURED_ROBOTS.replace('Allow: /api/v1/config\n', '');
  // How long a server takes is not the same on every machine.
  const report = await checkHost(host, { rules: RULES, skip: ['http-response-time'] });
  const only = report.findings.filter(({ id }) => id === 'robots-config' || id === 'http-hsts');
  expect(only).toHaveLength(2);
  const shown = { ...report, durationMs: 400, findings: only };
  const text = reportText(reportView(shown), { columns: 80, paint: (_looks, part) => part, quiet: true });
  const readme = readFileSync(file, 'utf8');
  expect(readme).toMatch(MARKED);
  await expect(readme.replace(MARKED, () => text)).toMatchFileSnapshot(file);
});
