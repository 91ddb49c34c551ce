import type { InstanceFacts } from '../record/instance.ts';
import { LENGTHS } from '../record/text-lengths.ts';
import { cleanIdentifier } from './clean-text.ts';
import { createFieldReader, type FieldReader } from './field-reader.ts';
import { asObject, type JsonObject, property } from './json.ts';

/** The server configuration resource (specification 2.5), each field alone: null is unknown. */
export interface ServerConfig
  extends Pick<
    InstanceFacts,
    | 'name'
    | 'description'
    | 'version'
    | 'registration'
    | 'federation'
    | 'features'
    | 'gifProviderBrand'
    | 'limits'
    | 'notes'
  > {
  /** `app.software` exactly as sent; the one string that identity needs. */
  softwareId: string;
  /** The same, safe to show. */
  software: string;
  /** `app.url` as sent. */
  appUrl: string | null;
}

/** The neutral name of the GIF switch, and its live names with the brand that each carries. First valid one wins. */
const GIF_SWITCHES = [
  { field: 'hasGifProvider', brand: null },
  { field: 'hasKlipy', brand: 'klipy' },
] as const;

/** Reads a configuration document; null when it names no software, so that it settles nothing. */
export function parseConfig(document: JsonObject): ServerConfig | null {
  const softwareId = property(asObject(property(document, 'app')), 'software');
  if (typeof softwareId !== 'string') return null;
  const fields = createFieldReader(document);
  const gif = readGifSwitch(fields);
  return {
    softwareId,
    software: cleanIdentifier(softwareId, LENGTHS.software),
    appUrl: fields.identifier('app.url', LENGTHS.url),
    name: fields.text('app.name', LENGTHS.name),
    description: fields.text('app.description', LENGTHS.description),
    version: fields.identifier('app.version', LENGTHS.version),
    registration: { open: fields.boolean('registration'), mode: fields.identifier('registration_mode', LENGTHS.mode) },
    federation: fields.boolean('federation'),
    features: {
      forYouFeed: fields.boolean('fyf'),
      pushNotifications: fields.boolean('pushNotifications'),
      starterKits: fields.boolean('starterKits'),
      atomFeeds: fields.boolean('atomFeeds'),
      gifProvider: gif.isOn,
    },
    gifProviderBrand: gif.brand,
    limits: {
      maxVideoSizeMB: fields.count('media.max_video_size'),
      maxVideoDurationSeconds: fields.count('media.max_video_duration'),
      videoFormats: fields.identifiers('media.allowed_video_formats', LENGTHS.format),
      maxBioLength: fields.count('account.max_bio_length'),
    },
    notes: [...fields.notes],
  };
}

function readGifSwitch(fields: FieldReader): { isOn: boolean | null; brand: string | null } {
  const read = GIF_SWITCHES.map(({ field, brand }) => ({ isOn: fields.boolean(field), brand }));
  return read.find(({ isOn }) => isOn !== null) ?? { isOn: null, brand: null };
}
