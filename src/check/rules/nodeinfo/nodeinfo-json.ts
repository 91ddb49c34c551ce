import { documentOf } from '../../documents/document-of.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `See that the address reaches Loops and not the page of the web app, and that PHP writes no warnings into answers, in \`php.ini\`:

    display_errors = Off
    log_errors = On`;

export const nodeInfoJson: Rule = {
  id: 'nodeinfo-json',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'The NodeInfo document is a JSON object',
  checks:
    'The body of the NodeInfo document is one JSON object and nothing more: not a page, not cut off, nothing before or after it.',
  why: 'Clients do not repair it: a document with a warning of PHP at its end is as good as none.',
  sources: ['Interface specification 2.7', 'RFC 8259'],
  cure,
  judge({ answers }) {
    const reading = documentOf(answers.nodeinfo);
    if (reading.kind === 'object') return pass('It is.');
    return reading.kind === 'not-json' ? fail(`The body of the NodeInfo document ${reading.problem}.`, cure) : null;
  },
};
