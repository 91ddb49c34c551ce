import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientViews } from '../../../src/check/clients/client-views.ts';
import { ClientView } from '../../../src/check/report.ts';
import { ANY_CHARACTER } from '../../any-character.ts';
import { evidenceOf, healthyAnswer, liveConfig, liveNodeInfo } from '../evidence-of.ts';
import { DOCUMENT_RULES } from '../problems-of.ts';

const names = ['config', 'discovery', 'nodeinfo', 'robots'] as const;
/** An arbitrary body: a document in which one member has another value, or any JSON, text or bytes. */
const body = fc.oneof(
  // The length of the arbitrary string selects the member.
  fc
    .tuple(fc.constantFrom(liveConfig(), liveNodeInfo()), fc.string(), fc.json({ maxDepth: 3 }))
    .map(([document, { length }, value]) => {
      const keys = Object.keys(document);
      const member = keys[length % keys.length] ?? '';
      return JSON.stringify({ ...document, [member]: JSON.parse(value) as unknown });
    }),
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: ANY_CHARACTER, maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'content-type',
    'cache-control',
    'location',
    'age',
    'expires',
    'vary',
    'access-control-allow-origin',
    'x-robots-tag',
  ),
  fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
);
const exchange = fc.record({ body, headers, status: fc.constantFrom(200, 200, 200, 204, 301, 401, 404, 500) });

describe('for any response of a server', () => {
  it('no document rule throws, or shows long text or text that could disturb a terminal', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), exchange), (changes) => {
        const answers = Object.fromEntries(
          Object.entries(changes).map(([name, change]) => [name, healthyAnswer(name as 'config', change)]),
        );
        const evidence = evidenceOf({ answers });
        for (const { judge, id } of DOCUMENT_RULES) {
          const judgement = judge(evidence);
          expect(judgement?.detail ?? '', id).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
          expect((judgement?.detail ?? '').length, id).toBeLessThan(2_500);
        }
        for (const view of clientViews(evidence)) expect(ClientView.parse(view)).toEqual(view);
      }),
      { numRuns: 50 },
    );
  });

  it('no document rule throws, even if the response is large or deeply nested', () => {
    for (const text of [
      '['.repeat(260_000),
      '{"a":'.repeat(50_000),
      `"${'\\'.repeat(260_000)}`,
      ' '.repeat(260_000),
      '<a '.repeat(80_000),
    ]) {
      const evidence = evidenceOf({
        answers: {
          config: healthyAnswer('config', { body: text }),
          discovery: healthyAnswer('discovery', { body: text }),
        },
      });
      for (const { judge } of DOCUMENT_RULES) judge(evidence);
    }
  });
});
