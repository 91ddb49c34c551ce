import type { Evidence } from '../../src/check/evidence.ts';
import { type CheckHostOptions, checkHost, type OperatorHost } from './operator-host.ts';

/** What a check of a host gathers. */
export async function gathered(host: OperatorHost, options: CheckHostOptions = {}): Promise<Evidence> {
  const { promise, resolve } = Promise.withResolvers<Evidence>();
  await checkHost(host, { ...options, onEvidence: resolve });
  return promise;
}
