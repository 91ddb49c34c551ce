import { documentOf } from '../../documents/document-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { nodeInfoNameOf } from '../../documents/nodeinfo-name-of.ts';
import { nodeInfoOf } from '../../documents/nodeinfo-of.ts';
import { nodeInfoViolations, tellViolation } from '../../documents/nodeinfo-schema.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure =
  'Put what is your own into `metadata`, which is free, and leave out of `protocols` and `services` what the schema has no word for. A document of version 2.1 belongs at the address of 2.1.';

export const nodeInfoSchema: Rule = {
  id: 'nodeinfo-schema',
  area: 'nodeinfo',
  worst: 'warn',
  title: 'NodeInfo keeps to the schema of version 2.0',
  checks:
    'What the schema says besides fields and types: nothing at the top, in `software`, `services` and `usage` that it does not name, only words that it knows in `protocols` and `services`, `version` "2.0", a `software.name` of small letters, digits and hyphens.',
  why: 'Clients that validate by the schema, or read by lists of known words, refuse the document for one word too many.',
  sources: ['NodeInfo 2.0 schema (http://nodeinfo.diaspora.software/ns/schema/2.0)'],
  cure,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const named = nodeInfoNameOf(evidence);
    // A document that names no software is none, which a rule of its own says.
    if (document === null || named === null) return null;
    // What is read of bytes that are not UTF-8 is chance; that they are not has a rule of its own.
    const reading = documentOf(evidence.answers.nodeinfo);
    if (reading.kind === 'object' && !reading.json.isUtf8) return null;
    const others = nodeInfoViolations(document).filter(({ kind, path, problem }) => {
      // Each of these has a rule of its own.
      if (path === 'software.name' && named.isNearMiss) return false;
      return kind === 'other' && !(path === 'protocols' && problem.includes('empty'));
    });
    return others.length === 0
      ? pass('It does.')
      : warn(`${nameAll(others.map(tellViolation), '; ')}.`.replace(/^t/, 'T'), cure);
  },
};
