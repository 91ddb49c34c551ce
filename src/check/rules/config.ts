import type { Rule } from '../rule.ts';
import { configAnswered } from './config/config-answered.ts';
import { configCache } from './config/config-cache.ts';
import { configContentType } from './config/config-content-type.ts';
import { configCookies } from './config/config-cookies.ts';
import { configCors } from './config/config-cors.ts';
import { configDescription } from './config/config-description.ts';
import { configDuplicateKeys } from './config/config-duplicate-keys.ts';
import { configEncoding } from './config/config-encoding.ts';
import { configFieldTypes } from './config/config-field-types.ts';
import { configFieldsMissing } from './config/config-fields-missing.ts';
import { configJson } from './config/config-json.ts';
import { configMaxBioLength } from './config/config-max-bio-length.ts';
import { configMaxVideoDuration } from './config/config-max-video-duration.ts';
import { configMaxVideoSize } from './config/config-max-video-size.ts';
import { configName } from './config/config-name.ts';
import { configPreflight } from './config/config-preflight.ts';
import { configPublic } from './config/config-public.ts';
import { configRedirect } from './config/config-redirect.ts';
import { configSize } from './config/config-size.ts';
import { configSoftware } from './config/config-software.ts';
import { configStatus } from './config/config-status.ts';
import { configText } from './config/config-text.ts';
import { configUrl } from './config/config-url.ts';
import { configVideoFormats } from './config/config-video-formats.ts';
import { configWrapper } from './config/config-wrapper.ts';

/** The configuration endpoint: whether it answers, and whether what it says is whole and true. */
export const configRules: readonly Rule[] = [
  configAnswered,
  configStatus,
  configRedirect,
  configPublic,
  configJson,
  configWrapper,
  configSoftware,
  configFieldsMissing,
  configFieldTypes,
  configUrl,
  configName,
  configDescription,
  configText,
  configMaxVideoSize,
  configMaxVideoDuration,
  configVideoFormats,
  configMaxBioLength,
  configContentType,
  configEncoding,
  configDuplicateKeys,
  configCors,
  configPreflight,
  configCache,
  configCookies,
  configSize,
];
