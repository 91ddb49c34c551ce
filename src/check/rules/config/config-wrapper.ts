import { documentOf } from '../../documents/document-of.ts';
import { findWrapped } from '../../documents/find-wrapped.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { showValue } from '../../documents/show-value.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Return the object itself. In a changed controller of Laravel that is a resource without its wrapping:

    JsonResource::withoutWrapping();`;

export const configWrapper: Rule = {
  id: 'config-wrapper',
  area: 'config',
  worst: 'fail',
  title: 'The configuration is not wrapped in anything',
  checks: 'Whether `app` is at the top of the document, or inside another member as in `{"data":{"app":…}}`.',
  why: 'Clients look for `app.software` at the top. Wrapped, it is not there, and the server is none of the service.',
  sources: ['Interface specification 2.5'],
  cure,
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const reading = documentOf(evidence.answers.config);
    if (reading.kind !== 'object') return null;
    const wrapper = findWrapped(reading.document);
    return wrapper === null ? pass('It is not.') : fail(`All of it lies in ${showValue(wrapper)}.`, cure);
  },
};
