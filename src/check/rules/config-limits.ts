import { configOf } from '../documents/document.ts';
import { listItems, pass, type Rule, showValue, warn } from '../rule.ts';

/** In megabytes. A larger value is implausible for short videos, and is probably in another unit. */
export const MAX_PLAUSIBLE_SIZE = 10_000;
const UNIT_FACTOR = 1_024;

export const configMaxVideoSize: Rule = {
  id: 'config-max-video-size',
  worst: 'warn',
  title: 'The upload limit is in megabytes',
  checks: `\`media.max_video_size\` is between 1 and ${MAX_PLAUSIBLE_SIZE}. A larger value is probably in kilobytes or bytes; 0 allows no upload.`,
  why: 'Apps compare the size of a file with this limit before they upload it. With the wrong unit, apps allow every file, and the upload fails only at its end.',
  sources: ['Interface specification 2.5 and 8'],
  cure: 'Set the upload limit in the admin settings of the server, in megabytes: 40, not 40960 (kilobytes) or 41943040 (bytes).',
  judge(evidence) {
    const size = configOf(evidence)?.config.limits.maxVideoSizeMB ?? null;
    if (size === null) return null;
    if (size === 0) return warn('media.max_video_size is 0, so no video can be uploaded.');
    if (size <= MAX_PLAUSIBLE_SIZE) return pass(`The limit is ${size} MB.`);
    const isBytes = size >= UNIT_FACTOR * UNIT_FACTOR;
    const megabytes = Math.round(size / (isBytes ? UNIT_FACTOR * UNIT_FACTOR : UNIT_FACTOR));
    return warn(
      `media.max_video_size is ${size}. Read as megabytes, that is ${Math.round(size / UNIT_FACTOR)} GB; read as ${isBytes ? 'bytes' : 'kilobytes'}, it is ${megabytes} MB.`,
    );
  },
};

/** In seconds. A smaller value is probably in minutes; one above the maximum is probably in milliseconds. */
const MIN_PLAUSIBLE_DURATION = 5;
const MAX_PLAUSIBLE_DURATION = 8 * 3_600;

export const configMaxVideoDuration: Rule = {
  id: 'config-max-video-duration',
  worst: 'warn',
  title: 'The video duration limit is in seconds',
  checks: `\`media.max_video_duration\` is between ${MIN_PLAUSIBLE_DURATION} and ${MAX_PLAUSIBLE_DURATION} (eight hours). A larger value is probably in milliseconds, a smaller one in minutes; 0 allows no upload.`,
  why: 'Apps trim or reject recordings that are longer. With the wrong unit, they reject every video, or upload videos that the server then rejects.',
  sources: ['Interface specification 2.5 and 8'],
  cure: 'Set the maximum video duration in the admin settings of the server, in seconds: 180, not 3 (minutes) or 180000 (milliseconds).',
  judge(evidence) {
    const duration = configOf(evidence)?.config.limits.maxVideoDurationSeconds ?? null;
    if (duration === null) return null;
    const shown = `media.max_video_duration is ${duration}`;
    if (duration === 0) return warn(`${shown}, so no video can be uploaded.`);
    if (duration < MIN_PLAUSIBLE_DURATION) return warn(`${shown}. In minutes it would be ${duration * 60} s.`);
    if (duration <= MAX_PLAUSIBLE_DURATION) return pass(`The limit is ${duration} s.`);
    return warn(
      `${shown}, which is at least ${Math.floor(duration / 3_600)} hours. In milliseconds it would be ${Math.round(duration / 1_000)} s.`,
    );
  },
};

export const configVideoFormats: Rule = {
  id: 'config-video-formats',
  worst: 'warn',
  title: 'Video formats are bare names such as mp4',
  checks:
    '`media.allowed_video_formats` names at least one format, each a short lower-case word without a dot, and no duplicates. Media types, extensions with a dot, and capitals are wrong.',
  why: 'Apps compare the extension of a file with the list. If the form is unexpected, nothing matches and no video can be selected.',
  sources: ['Interface specification 2.5 and 8'],
  cure: 'List the formats in the admin settings by their bare names in lower case, each once: `mp4`, not `video/mp4`, `.mp4` or `MP4`.',
  judge(evidence) {
    const formats = configOf(evidence)?.config.limits.videoFormats ?? null;
    if (formats === null) return null;
    if (formats.length === 0) return warn('media.allowed_video_formats is empty, so no video can be uploaded.');
    const unexpected = formats.filter((format) => !/^[a-z0-9]{2,10}$/.test(format));
    if (unexpected.length > 0) return warn(`These are not bare names: ${listItems(unexpected.map(showValue))}.`);
    const duplicates = [...new Set(formats.filter((format, index) => formats.indexOf(format) !== index))];
    if (duplicates.length > 0) return warn(`Listed more than once: ${listItems(duplicates)}.`);
    return pass(`The formats are ${listItems(formats)}.`);
  },
};

/** In characters. */
const MAX_PLAUSIBLE_BIO_LENGTH = 65_535;

export const configMaxBioLength: Rule = {
  id: 'config-max-bio-length',
  worst: 'warn',
  title: 'The bio length limit is plausible',
  checks: `\`account.max_bio_length\` is between 1 and ${MAX_PLAUSIBLE_BIO_LENGTH} characters.`,
  why: 'Apps enforce this limit while a user edits a profile. At 0, a user cannot type anything.',
  sources: ['Interface specification 2.5 and 8'],
  cure: 'Set the bio length limit in the admin settings of the server, in characters; for example 500.',
  judge(evidence) {
    const length = configOf(evidence)?.config.limits.maxBioLength ?? null;
    if (length === null) return null;
    if (length === 0) return warn('account.max_bio_length is 0, so no bio can be written.');
    if (length > MAX_PLAUSIBLE_BIO_LENGTH)
      return warn(`account.max_bio_length is ${length}, more than a profile can hold.`);
    return pass(`The limit is ${length} characters.`);
  },
};
