import { configOf } from '../../documents/config-of.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Seconds. Less than this is minutes, more than that milliseconds. */
const LEAST_PLAUSIBLE = 5;
const MOST_PLAUSIBLE = 8 * 3_600;

const cure =
  'Set the longest video in the admin settings of the server in seconds: 180, and not 3 (minutes) or 180000 (milliseconds).';

export const configMaxVideoDuration: Rule = {
  id: 'config-max-video-duration',
  area: 'config',
  worst: 'warn',
  title: 'The longest video is in seconds',
  checks: `\`media.max_video_duration\` is between ${LEAST_PLAUSIBLE} and ${MOST_PLAUSIBLE} (eight hours). Larger numbers are milliseconds, smaller ones minutes.`,
  why: 'Apps cut or refuse a recording by it. In the wrong unit they refuse every video, or send what the server then refuses.',
  sources: ['Interface specification 2.5 and 8'],
  cure,
  judge(evidence) {
    const duration = configOf(evidence)?.config.limits.maxVideoDurationSeconds ?? null;
    if (duration === null) return null;
    const shown = `media.max_video_duration is ${duration}`;
    if (duration === 0) return warn(`${shown}: read as seconds, no video may be sent.`, cure);
    if (duration < LEAST_PLAUSIBLE) return warn(`${shown}. As minutes it would be ${duration * 60} s.`, cure);
    if (duration <= MOST_PLAUSIBLE) return pass(`It is ${duration} s.`);
    return warn(
      `${shown}, which is over ${Math.floor(duration / 3_600)} hours. As milliseconds it would be ${Math.round(duration / 1_000)} s.`,
      cure,
    );
  },
};
