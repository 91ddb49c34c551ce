import { expect, it } from 'vitest';
import { REQUEST_NAMES } from '../../src/check/evidence.ts';
import type { Finding } from '../../src/check/report.ts';
import { AREAS } from '../../src/check/rule.ts';
import { RULES, requestsFor } from '../../src/check/rules.ts';
import type { FaultRule } from '../../src/reference/index.ts';
import { checkHost, startOperatorHost } from './operator-host.ts';

const of = (area: string) => requestsFor(RULES.filter((rule) => rule.area === area));

it('the certificate needs no request at all, the API all of them', () => {
  expect(of('tls').size).toBe(0);
  expect([...of('api')]).toEqual([...REQUEST_NAMES]);
  expect(of('oauth').has('webfinger')).toBe(false);
});

// How long an answer takes is another each time.
const verdictsOf = (findings: readonly Finding[]) =>
  findings.filter(({ id }) => id !== 'http-response-time').map(({ id, severity }) => `${id} ${severity}`);

it.for<[what: string, faults: FaultRule[]]>([
  ['run well', []],
  ['whose PHP is down', [{ route: '*', fault: 'server-error' }]],
  ['without a configuration', [{ route: '/api/v1/config', fault: 'status', status: 404 }]],
  ['with broken JSON', [{ route: '/api/v1/config', fault: 'invalid-json', how: 'cut' }]],
])('one area alone is judged as it is with all others: of a host %s', async ([, faults]) => {
  const host = await startOperatorHost({ server: { faults } });
  const whole = await checkHost(host, { rules: RULES });
  for (const area of AREAS) {
    const { findings } = await checkHost(host, { rules: RULES, only: [area] });
    expect(verdictsOf(findings), area).toEqual(verdictsOf(whole.findings.filter((finding) => finding.area === area)));
  }
});
