import type { StoreReader } from '../../src/store/store-reader.ts';
import { domainRecordOf, historyOf, instanceRecordOf } from './record-of.ts';
import { changeOf, START, sourceOf, usageOf, visitOf } from './row-of.ts';

/**
 * An export source of any size that generates its rows. Every domain, instance, change and visit carries `generation`, the number of the
 * export, as its version, and every monthly usage row as its posts, so a file with rows of two exports is detectable. There is a change for each domain, and a visit and a count for each instance.
 */
export function generatedSource(domains: number, instances: number, generation: number): StoreReader {
  const name = (kind: string, index: number) => `${kind}${String(index).padStart(8, '0')}.example.org`;
  const version = String(generation);
  const instance = (index: number) => instanceRecordOf(name('i', index), { version, facts: { version } });
  return sourceOf({
    domains: {
      *all() {
        for (let i = 0; i < domains; i++)
          yield domainRecordOf(name('d', i), {
            version,
            listedBy: [{ source: 'file-3', firstAt: START, lastAt: START }],
          });
      },
    },
    instances: {
      *listed() {
        for (let i = 0; i < instances; i++) yield instance(i);
      },
      *histories() {
        for (let i = 0; i < instances; i++) {
          const record = instance(i);
          const changes = [changeOf(record.domain, { from: null, to: version })];
          yield historyOf({ record, changes, usage: [usageOf(record.domain)] });
        }
      },
    },
    changes: {
      *published() {
        for (let i = 0; i < domains; i++) yield changeOf(name('d', i), { at: START + i, to: version });
      },
    },
    sources: {
      *ofInstances() {
        for (let i = 0; i < instances; i++) yield { domain: instance(i).domain, sources: [`file-${i % 3}`, 'file-3'] };
      },
    },
    visits: {
      firstRecord: () => START,
      last: () => ({ id: instances, at: START + instances - 1 }),
      months: () => ['2026-01'],
      *ofMonth() {
        for (let i = 0; i < instances; i++) yield visitOf(name('i', i), { id: i + 1, at: START + i, version });
      },
    },
    usage: {
      months: () => ['2026-01'],
      *ofMonth() {
        for (let i = 0; i < instances; i++) yield usageOf(name('i', i), { posts: generation });
      },
    },
  });
}
