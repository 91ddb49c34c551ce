import { expect, it } from 'vitest';
import type { Finding } from '../../src/check/report.ts';
import type { Rule } from '../../src/check/rule.ts';
import { checkHost, type OperatorHost, type OperatorHostOptions, startOperatorHost } from './operator-host.ts';

/** A defect of a host, the expected finding, and how the defect is removed, as its cure would. */
export interface Breakage {
  /** The test title after the id of the rule: `reports a closed port`. */
  title: string;
  id: string;
  severity: Finding['severity'];
  detail: RegExp;
  cure?: RegExp;
  /** Other rules of the area that also report the defect. */
  alsoReportedBy?: readonly string[];
  host?: OperatorHostOptions;
  break: (host: OperatorHost) => void;
  /** Reverts what `break` changed, other than the behaviour of the host and its faults, which every test restores. */
  repair?: (host: OperatorHost) => void;
}

/** Apart from slow answers, which a busy machine gives. */
const isBad = ({ id, severity }: Finding) =>
  id !== 'http-response-time' && (severity === 'warn' || severity === 'fail');

/**
 * Defines a test per row, over sockets. On the broken host, the row's rule reports the defect, and no rule but that one and
 * `alsoReportedBy` warns or fails. Once the defect is removed, that rule passes, and no rule warns or fails. Slow answers
 * do not count.
 */
export function itFindsAndCures(rules: readonly Rule[], rows: readonly Breakage[]): void {
  it.each(rows)('$id $title', async ({ id, severity, detail, cure, alsoReportedBy = [], ...row }) => {
    const host = await startOperatorHost(row.host);
    const originalBehaviour = { ...host.behaviour };
    const currentFindings = async () => (await checkHost(host, { rules })).findings;
    row.break(host);
    const broken = await currentFindings();
    expect(broken.find((finding) => finding.id === id)).toMatchObject({
      severity,
      detail: expect.stringMatching(detail),
    });
    if (cure !== undefined) expect(broken.find((finding) => finding.id === id)?.cure).toMatch(cure);
    const unexpected = broken.filter(
      (finding) => isBad(finding) && finding.id !== id && !alsoReportedBy.includes(finding.id),
    );
    expect(unexpected).toEqual([]);

    Object.assign(host.behaviour, originalBehaviour);
    host.server.state.faults = [];
    row.repair?.(host);
    const cured = await currentFindings();
    expect(cured.find((finding) => finding.id === id)).toMatchObject({ severity: 'pass', cure: null });
    expect(cured.filter(isBad)).toEqual([]);
  });
}
