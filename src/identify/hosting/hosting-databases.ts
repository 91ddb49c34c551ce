import { LRUCache } from 'lru-cache';
import type { Hosting } from '../../model/facts/hosting.ts';
import { cleanText, LENGTHS } from '../../model/text/clean-text.ts';
import { contentNetworkOf } from './content-networks.ts';
import { MmdbError, type MmdbFile, type MmdbRecord, readMmdb, versionOf } from './mmdb-file.ts';

/** A database of the settings cannot be used; the message is one sentence with the cure. */
export class HostingDatabaseError extends Error {
  override readonly name = 'HostingDatabaseError';
  readonly kind = 'setting';
}

/** What each setting's file holds, in the fields of GeoLite2 and DB-IP, or of ip-location-db. */
const DATABASES = {
  countryDatabase: {
    what: 'countries',
    example: 'geo-whois-asn-country.mmdb of the npm package @ip-location-db/geo-whois-asn-country-mmdb',
    factsOf: ({ country, country_code: code }: MmdbRecord) => {
      const found = code ?? (country as MmdbRecord | undefined)?.iso_code;
      return { country: typeof found === 'string' && /^[A-Z]{2}$/.test(found) ? found : null };
    },
  },
  asnDatabase: {
    what: 'networks (autonomous systems)',
    example: 'GeoLite2-ASN.mmdb or dbip-asn-lite.mmdb',
    factsOf: ({ autonomous_system_number: number, autonomous_system_organization: name }: MmdbRecord) => ({
      asn: Number.isSafeInteger(number) ? (number as number) : null,
      network: typeof name === 'string' ? cleanText(name, LENGTHS.name) || null : null,
    }),
  },
} as const;

type Setting = keyof typeof DATABASES;
const SETTINGS = Object.keys(DATABASES) as Setting[];
/** An empty record has the facts of an address that the database does not know. */
const NO_RECORD: MmdbRecord = {};
const MAX_CACHED = 10_000;

export type HostingSettings = Readonly<Record<Setting, string | null>>;

/** Tells where addresses are, from files of this machine: published ranges of content networks, and the databases of the settings. */
export class HostingDatabases {
  readonly #settings: HostingSettings;
  readonly #warn: (message: string) => void;
  readonly #files = new Map<Setting, MmdbFile>();
  /** The last version of each file that was tried, usable or not. */
  readonly #tried = new Map<Setting, string>();
  readonly #cache = new LRUCache<string, Partial<Hosting>>({ max: MAX_CACHED });

  /** @throws {HostingDatabaseError} when a file cannot be used. */
  constructor(settings: HostingSettings, warn: (message: string) => void) {
    this.#settings = settings;
    this.#warn = warn;
    for (const setting of SETTINGS) {
      const fault = this.#read(setting);
      if (fault !== null) throw new HostingDatabaseError(fault);
    }
  }

  /** Reads the files again that were replaced. A file that cannot be used any more is reported once, and its last content stays in use. */
  refresh(): void {
    for (const setting of SETTINGS) {
      const fault = this.#read(setting);
      if (fault !== null) this.#warn(`${fault} The content read before stays in use.`);
    }
  }

  /** What is known of an address; without the facts for which there is no database. */
  locate(address: string): Partial<Hosting> {
    let hosting = this.#cache.get(address);
    if (hosting === undefined) {
      hosting = this.#find(address);
      this.#cache.set(address, hosting);
    }
    return hosting;
  }

  #find(address: string): Partial<Hosting> {
    const behind = contentNetworkOf(address);
    const hosting: Partial<Hosting> = { behind };
    for (const [setting, file] of this.#files) {
      try {
        Object.assign(hosting, DATABASES[setting].factsOf(file.find(address) ?? NO_RECORD));
      } catch {
        this.#files.delete(setting);
        this.#warn(`${faultOf(setting, this.#settings[setting], 'is damaged')} It is not used until it is replaced.`);
      }
    }
    // The country would be that of the content network.
    if (behind !== null) hosting.country = null;
    return hosting;
  }

  /** Reads a file unless it was read or refused before, and returns what is wrong with it. */
  #read(setting: Setting): string | null {
    const path = this.#settings[setting];
    if (path === null) return null;
    const { what, factsOf } = DATABASES[setting];
    let version = 'missing';
    try {
      version = versionOf(path);
      if (version === this.#tried.get(setting)) return null;
      const file = readMmdb(path);
      const isOfKind = file.first().some((record) => Object.values(factsOf(record)).some((fact) => fact !== null));
      if (!isOfKind) throw new MmdbError(`holds no ${what} (it is of the type ${JSON.stringify(file.type)})`);
      this.#files.set(setting, file);
      this.#cache.clear();
      return null;
    } catch (error) {
      if (version === this.#tried.get(setting)) return null;
      return faultOf(setting, path, error instanceof MmdbError ? error.message : 'is damaged');
    } finally {
      this.#tried.set(setting, version);
    }
  }
}

function faultOf(setting: Setting, path: string | null, problem: string): string {
  const { what, example } = DATABASES[setting];
  return `network.${setting} ${path} ${problem}: name a MaxMind DB file of ${what}, such as ${example}, or null.`;
}
