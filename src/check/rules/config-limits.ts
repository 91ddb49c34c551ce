import { configOf } from '../documents/document.ts';
import { nameAll, pass, type Rule, showValue, warn } from '../rule.ts';

/** Megabytes; a larger number is in another unit. */
const MAX_PLAUSIBLE_SIZE = 10_000;
const KIBIBYTE = 1_024;

export const configMaxVideoSize: Rule = {
  id: 'config-max-video-size',
  area: 'config',
  worst: 'warn',
  title: 'The largest upload is in megabytes',
  checks: `\`media.max_video_size\` is between 1 and ${MAX_PLAUSIBLE_SIZE}. Larger numbers are kilobytes or bytes, and 0 allows nothing.`,
  why: 'Apps compare the size of a file with it before they send it. With the wrong unit they send files that the server then refuses.',
  sources: ['Interface specification 2.5 and 8'],
  cure: 'Set the largest upload in the admin settings of the server in megabytes: 40, and not 40960 (kilobytes) or 41943040 (bytes).',
  judge(evidence) {
    const size = configOf(evidence)?.config.limits.maxVideoSizeMB ?? null;
    if (size === null) return null;
    if (size === 0)
      return warn('media.max_video_size is 0: read as megabytes, no video may be sent.', configMaxVideoSize.cure);
    if (size <= MAX_PLAUSIBLE_SIZE) return pass(`It is ${size} MB.`);
    const isBytes = size >= KIBIBYTE * KIBIBYTE;
    const megabytes = Math.round(size / (isBytes ? KIBIBYTE * KIBIBYTE : KIBIBYTE));
    return warn(
      `media.max_video_size is ${size}, which is ${Math.round(size / KIBIBYTE)} GB when read as megabytes. As ${isBytes ? 'bytes' : 'kilobytes'} it would be ${megabytes} MB.`,
      configMaxVideoSize.cure,
    );
  },
};

/** Seconds; a smaller number is in minutes, a number above the maximum in milliseconds. */
const MIN_PLAUSIBLE_DURATION = 5;
const MAX_PLAUSIBLE_DURATION = 8 * 3_600;

export const configMaxVideoDuration: Rule = {
  id: 'config-max-video-duration',
  area: 'config',
  worst: 'warn',
  title: 'The longest video is in seconds',
  checks: `\`media.max_video_duration\` is between ${MIN_PLAUSIBLE_DURATION} and ${MAX_PLAUSIBLE_DURATION} (eight hours). Larger numbers are milliseconds, smaller ones minutes.`,
  why: 'Apps cut or refuse a recording by it. In the wrong unit they refuse every video, or send what the server then refuses.',
  sources: ['Interface specification 2.5 and 8'],
  cure: 'Set the longest video in the admin settings of the server in seconds: 180, and not 3 (minutes) or 180000 (milliseconds).',
  judge(evidence) {
    const duration = configOf(evidence)?.config.limits.maxVideoDurationSeconds ?? null;
    if (duration === null) return null;
    const shown = `media.max_video_duration is ${duration}`;
    if (duration === 0) return warn(`${shown}: read as seconds, no video may be sent.`, configMaxVideoDuration.cure);
    if (duration < MIN_PLAUSIBLE_DURATION)
      return warn(`${shown}. As minutes it would be ${duration * 60} s.`, configMaxVideoDuration.cure);
    if (duration <= MAX_PLAUSIBLE_DURATION) return pass(`It is ${duration} s.`);
    return warn(
      `${shown}, which is over ${Math.floor(duration / 3_600)} hours. As milliseconds it would be ${Math.round(duration / 1_000)} s.`,
      configMaxVideoDuration.cure,
    );
  },
};

export const configVideoFormats: Rule = {
  id: 'config-video-formats',
  area: 'config',
  worst: 'warn',
  title: 'Video formats are bare names such as mp4',
  checks:
    '`media.allowed_video_formats` names at least one format, each as a short word of lower-case letters and digits, and none twice. Media types, file extensions with a dot, and upper case are wrong.',
  why: 'Apps compare the extension of a file with the list. A format in another form matches nothing, and no video can be chosen.',
  sources: ['Interface specification 2.5 and 8'],
  cure: 'List the formats in the admin settings by their bare names in small letters, each once: `mp4`, and not `video/mp4`, `.mp4` or `MP4`.',
  judge(evidence) {
    const formats = configOf(evidence)?.config.limits.videoFormats ?? null;
    if (formats === null) return null;
    if (formats.length === 0)
      return warn('media.allowed_video_formats is empty: no video may be sent.', configVideoFormats.cure);
    const odd = formats.filter((format) => !/^[a-z0-9]{2,10}$/.test(format));
    if (odd.length > 0) return warn(`Not bare names: ${nameAll(odd.map(showValue))}.`, configVideoFormats.cure);
    const twice = [...new Set(formats.filter((format, index) => formats.indexOf(format) !== index))];
    if (twice.length > 0) return warn(`Named more than once: ${nameAll(twice)}.`, configVideoFormats.cure);
    return pass(`${nameAll(formats)}.`);
  },
};

/** Characters. */
const MAX_PLAUSIBLE_BIO_LENGTH = 65_535;

export const configMaxBioLength: Rule = {
  id: 'config-max-bio-length',
  area: 'config',
  worst: 'warn',
  title: 'The longest bio is a plausible number of characters',
  checks: `\`account.max_bio_length\` is between 1 and ${MAX_PLAUSIBLE_BIO_LENGTH}.`,
  why: 'Apps limit the bio to it while a user edits a profile. At 0 nothing can be typed.',
  sources: ['Interface specification 2.5 and 8'],
  cure: 'Set the longest bio in the admin settings of the server, in characters: 500, for example.',
  judge(evidence) {
    const length = configOf(evidence)?.config.limits.maxBioLength ?? null;
    if (length === null) return null;
    if (length === 0) return warn('account.max_bio_length is 0: no bio may be written.', configMaxBioLength.cure);
    if (length > MAX_PLAUSIBLE_BIO_LENGTH)
      return warn(`account.max_bio_length is ${length}, more than a profile can hold.`, configMaxBioLength.cure);
    return pass(`It is ${length}.`);
  },
};
