import { answerCure } from '../../answer-cure.ts';
import { documentOf } from '../../documents/document-of.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { movedAway } from '../../documents/moved-away.ts';
import { versionBeforeConfig } from '../../documents/version-before-config.ts';
import type { Evidence } from '../../evidence.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const PATH = '/api/v1/config';

const cure = `See that requests to the API reach PHP, in the server block of nginx:

    location / { try_files $uri $uri/ /index.php?$query_string; }

Then let Loops make its list of routes anew:

    php artisan route:clear`;

export const configStatus: Rule = {
  id: 'config-status',
  area: 'config',
  worst: 'fail',
  title: 'The configuration endpoint answers 200',
  checks:
    'The status of `GET /api/v1/config`. 404 and every other status that brings no document fail; 404 warns where NodeInfo is there and broken, as the server may be no Loops server at all. Redirects have a rule of their own, and so have releases before 1.0.0-beta.6, which have no such endpoint.',
  why: 'Apps and directories identify a server by this one answer. Without it there is NodeInfo alone, which tells neither limits nor features, and which apps do not read.',
  sources: ['Interface specification 4 (endpoint 7) and 4.4'],
  cure,
  judge(evidence) {
    if (!mayBeService(evidence) || versionBeforeConfig(evidence) !== null || movedAway(evidence)) return null;
    const reading = documentOf(evidence.answers.config);
    if (reading.kind === 'object' || reading.kind === 'not-json') {
      const status = evidence.answers.config?.status ?? 200;
      return status === 200 ? pass('It answers 200.') : warn(`It answers ${status} in place of 200.`, cure);
    }
    if (reading.kind !== 'status') return null;
    // Where a redirect leads to nothing, the redirect is what is wrong.
    if ((evidence.answers.config?.followed.length ?? 0) > 0) return null;
    const { status } = reading;
    if (status >= 500 || status === 429 || [401, 403, 407].includes(status)) return null;
    if (status === 404) {
      const detail = `${PATH} is not found (404): Loops did not get the request, or this is not Loops.`;
      return isKnownByNodeInfo(evidence) ? warn(detail, cure) : fail(detail, cure);
    }
    const said = status === 410 ? '410 Gone, which tells directories to drop the server for good' : String(status);
    return fail(`${PATH} answers ${said}.`, answerCure(reading, evidence.domain, PATH) ?? cure);
  },
};

/** Whether there is something of NodeInfo, so that what is wrong with that comes first: it keeps other software from being told. */
function isKnownByNodeInfo({ visit, answers }: Evidence): boolean {
  if (visit.verdict === 'loops') return false;
  const { kind } = documentOf(answers.discovery);
  return kind !== 'unasked' && kind !== 'challenge' && answers.discovery?.status !== 404;
}
