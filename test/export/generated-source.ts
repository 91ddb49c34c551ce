import type { ExportSource } from '../../src/export/export-source.ts';
import { domainRecordOf, instanceRecordOf } from './record-of.ts';

/**
 * A source of any size that holds no rows. Every row carries the generation as its version, so that a file mixed of two
 * generations gives itself away.
 */
export function generatedSource(domains: number, instances: number, generation: number): ExportSource {
  const name = (kind: string, index: number) => `${kind}${String(index).padStart(8, '0')}.example.org`;
  const version = String(generation);
  return {
    *domains() {
      for (let i = 0; i < domains; i++) yield domainRecordOf(name('d', i), { version });
    },
    *instances() {
      for (let i = 0; i < instances; i++) yield instanceRecordOf(name('i', i), { facts: { version } });
    },
  };
}
