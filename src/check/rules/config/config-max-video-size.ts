import { configOf } from '../../documents/config-of.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Megabytes; more than this is no upload of a short video, but another unit. */
const MOST_PLAUSIBLE = 10_000;
const KIBIBYTE = 1_024;

const cure =
  'Set the largest upload in the admin settings of the server in megabytes: 40, and not 40960 (kilobytes) or 41943040 (bytes).';

export const configMaxVideoSize: Rule = {
  id: 'config-max-video-size',
  area: 'config',
  worst: 'warn',
  title: 'The largest upload is in megabytes',
  checks: `\`media.max_video_size\` is between 1 and ${MOST_PLAUSIBLE}. Larger numbers are kilobytes or bytes, and 0 allows nothing.`,
  why: 'Apps compare the file with it before they send it. In the wrong unit every upload is let through, and fails at its end.',
  sources: ['Interface specification 2.5 and 8'],
  cure,
  judge(evidence) {
    const size = configOf(evidence)?.config.limits.maxVideoSizeMB ?? null;
    if (size === null) return null;
    if (size === 0) return warn('media.max_video_size is 0: read as megabytes, no video may be sent.', cure);
    if (size <= MOST_PLAUSIBLE) return pass(`It is ${size} MB.`);
    const isBytes = size >= KIBIBYTE * KIBIBYTE;
    const megabytes = Math.round(size / (isBytes ? KIBIBYTE * KIBIBYTE : KIBIBYTE));
    return warn(
      `media.max_video_size is ${size}, which is ${Math.round(size / KIBIBYTE)} GB when read as megabytes. As ${isBytes ? 'bytes' : 'kilobytes'} it would be ${megabytes} MB.`,
      cure,
    );
  },
};
