import { configOf } from '../../documents/config-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showValue } from '../../documents/show-value.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure =
  'List the formats in the admin settings by their bare names in small letters, each once: `mp4`, and not `video/mp4`, `.mp4` or `MP4`.';

export const configVideoFormats: Rule = {
  id: 'config-video-formats',
  area: 'config',
  worst: 'warn',
  title: 'Video formats are bare names such as mp4',
  checks:
    '`media.allowed_video_formats` names at least one format, each as a short word of small letters and digits, and none twice. Media types, file endings with their dot and capitals are not such words.',
  why: 'Apps compare the ending of a file with the list. A form that they do not expect matches nothing, and no video can be chosen.',
  sources: ['Interface specification 2.5 and 8'],
  cure,
  judge(evidence) {
    const formats = configOf(evidence)?.config.limits.videoFormats ?? null;
    if (formats === null) return null;
    if (formats.length === 0) return warn('media.allowed_video_formats is empty: no video may be sent.', cure);
    const odd = formats.filter((format) => !/^[a-z0-9]{2,10}$/.test(format));
    if (odd.length > 0) return warn(`No bare names: ${nameAll(odd.map(showValue))}.`, cure);
    const twice = [...new Set(formats.filter((format, index) => formats.indexOf(format) !== index))];
    if (twice.length > 0) return warn(`Named more than once: ${nameAll(twice)}.`, cure);
    return pass(`${nameAll(formats)}.`);
  },
};
