import { answerCure } from '../../answer-cure.ts';
import { documentOf } from '../../documents/document-of.ts';
import { failsAsConfig } from '../../documents/fails-as-config.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const PATH = '/api/v1/config';

export const configPublic: Rule = {
  id: 'config-public',
  area: 'config',
  worst: 'fail',
  title: 'The configuration is public',
  checks: '`/api/v1/config` is answered without a token, a password or a special client: 401, 403 and 407 fail.',
  why: 'Apps read config before anyone has signed in, to learn whether and how one may sign in.',
  sources: ['Interface specification 4 (endpoint 7: no authentication) and 5'],
  cure: answerCure({ kind: 'status', status: 401 }, 'loops.example', PATH) ?? '',
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const reading = documentOf(evidence.answers.config);
    if (reading.kind === 'object') return pass('Anyone may read it.');
    if (reading.kind !== 'status') return null;
    const { status } = reading;
    const cure = answerCure(reading, evidence.domain, PATH) ?? '';
    const said = failsAsConfig(evidence) ? ' The same holds for /.well-known/nodeinfo.' : '';
    if (status === 401) return fail(`/api/v1/config answers 401: it asks for a sign-in.${said}`, cure);
    if (status === 403) return fail(`/api/v1/config answers 403: something does not let programs in.${said}`, cure);
    return status === 407 ? fail(`/api/v1/config answers 407: a proxy asks for a sign-in.${said}`, cure) : null;
  },
};
