import { documentOf } from '../../documents/document-of.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const MOST_BYTES = 65_536;

const cure =
  'See what makes the document long (`curl -s https://DOMAIN/api/v1/config | wc -c`): white space before it, a picture in the description, or members that were added to it. Loops itself sends under 1 KiB.';

export const configSize: Rule = {
  id: 'config-size',
  area: 'config',
  worst: 'warn',
  title: 'The configuration is small',
  checks:
    'The body of `/api/v1/config` is at most 64 KiB after decompression. Loopscout reads 256 KiB; a longer one is not read at all, which is a failure of the answer.',
  why: 'Clients read it at every start, on a mobile connection too, and careful ones stop reading early.',
  sources: ['Interface specification 2.5'],
  cure,
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const { config } = evidence.answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    const { length } = config.body;
    if (length <= MOST_BYTES) return pass(`It is ${length} bytes.`);
    return warn(`It is ${Math.round(length / 1_024)} KiB.`, cure.replace('DOMAIN', evidence.domain));
  },
};
