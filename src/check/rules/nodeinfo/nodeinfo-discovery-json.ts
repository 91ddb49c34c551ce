import { documentOf } from '../../documents/document-of.ts';
import { nodeInfoConcerns } from '../../documents/nodeinfo-concerns.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `See that the address reaches Loops and not the page of the web app, and that nothing is written before or after the JSON. In the server block of nginx:

    location ^~ /.well-known/nodeinfo { try_files $uri /index.php?$query_string; }

Then let Loops make its list of routes anew:

    php artisan route:clear`;

export const nodeInfoDiscoveryJson: Rule = {
  id: 'nodeinfo-discovery-json',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'The discovery document is a JSON object',
  checks: 'The body of `/.well-known/nodeinfo` is one JSON object and nothing more.',
  why: 'A page or a broken document there means to every client that the server has no NodeInfo.',
  sources: ['Interface specification 2.6', 'RFC 8259'],
  cure,
  judge(evidence) {
    if (!nodeInfoConcerns(evidence)) return null;
    const reading = documentOf(evidence.answers.discovery);
    if (reading.kind === 'object') return pass('It is.');
    if (reading.kind !== 'not-json') return null;
    return fail(`The body of /.well-known/nodeinfo ${reading.problem}.`, cure);
  },
};
