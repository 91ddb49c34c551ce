import { expect, it } from 'vitest';
import { REQUEST_NAMES } from '../../src/check/evidence.ts';
import type { Finding } from '../../src/check/report.ts';
import { AREAS } from '../../src/check/rule.ts';
import { RULES, requestsFor } from '../../src/check/rules.ts';
import type { FaultRule } from '../../src/reference/index.ts';
import { sampleOf } from '../full-size.ts';
import { checkHost, startOperatorHost } from './operator-host.ts';

const requestsOf = (area: string) => requestsFor(RULES.filter((rule) => rule.area === area));

it('rules of the TLS area need no request, rules of the API area need all but the POST to the inbox', () => {
  expect(requestsOf('tls').size).toBe(0);
  expect([...requestsOf('api')]).toEqual(REQUEST_NAMES.filter((name) => name !== 'inbox'));
  expect(requestsOf('federation').has('inbox')).toBe(true);
  expect(requestsOf('oauth').has('webfinger')).toBe(false);
});

// Response times vary.
const severitiesOf = (findings: readonly Finding[]) =>
  findings.filter(({ id }) => id !== 'http-response-time').map(({ id, severity }) => `${id} ${severity}`);

const HOSTS: [what: string, faults: FaultRule[]][] = [
  ['that is run well', []],
  ['with PHP down', [{ route: '*', fault: 'server-error' }]],
  ['without a configuration', [{ route: '/api/v1/config', fault: 'status', status: 404 }]],
  ['with broken JSON', [{ route: '/api/v1/config', fault: 'invalid-json', how: 'cut' }]],
];

it.for(sampleOf(HOSTS, 2))(
  'a check of one area finds what a full check finds in it, on a host %s',
  async ([, faults]) => {
    const host = await startOperatorHost({ server: { faults } });
    const full = await checkHost(host, { rules: RULES });
    for (const area of AREAS) {
      const { findings } = await checkHost(host, { rules: RULES, only: [area] });
      expect(severitiesOf(findings), area).toEqual(
        severitiesOf(full.findings.filter((finding) => finding.area === area)),
      );
    }
  },
);
