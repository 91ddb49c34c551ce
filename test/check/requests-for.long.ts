import { expect, it } from 'vitest';
import { REQUEST_NAMES } from '../../src/check/evidence.ts';
import type { Finding } from '../../src/check/report.ts';
import { AREAS, areaOf } from '../../src/check/rule.ts';
import { RULES, requestsFor } from '../../src/check/rules.ts';
import type { FaultRule } from '../../src/reference/index.ts';
import { checkHost, startOperatorHost } from './operator-host.ts';

const requestsForArea = (area: string) => requestsFor(RULES.filter((rule) => areaOf(rule) === area));

it('each area needs its own requests: TLS none, the API all but those of an operator', () => {
  expect(requestsForArea('tls').size).toBe(0);
  expect([...requestsForArea('api')]).toEqual(REQUEST_NAMES.filter((name) => name !== 'inbox' && name !== 'upload'));
  expect(requestsForArea('federation').has('inbox')).toBe(true);
  expect(requestsForArea('http').has('upload')).toBe(true);
  expect(requestsForArea('oauth').has('webfinger')).toBe(false);
});

/** Each finding as `config-json fail`, except the one on response times, which vary. */
const severitiesOf = (findings: readonly Finding[]) =>
  findings.filter(({ id }) => id !== 'http-response-time').map(({ id, severity }) => `${id} ${severity}`);

const HOSTS: [what: string, faults: FaultRule[]][] = [
  ['that is run well', []],
  ['with PHP down', [{ route: '*', fault: 'server-error' }]],
  ['without a configuration', [{ route: '/api/v1/config', fault: 'status', status: 404 }]],
  ['with broken JSON', [{ route: '/api/v1/config', fault: 'invalid-json', how: 'cut' }]],
];

it.for(HOSTS)(
  'a check of one area has the findings that a full check has in this area, on a host %s',
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
