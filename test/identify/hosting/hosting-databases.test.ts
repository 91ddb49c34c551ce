import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { HostingDatabaseError, HostingDatabases } from '../../../src/identify/hosting/hosting-databases.ts';
import { mmdbBytes } from './mmdb-bytes.ts';

const folder = mkdtempSync(join(tmpdir(), 'loopscout-hosting-'));
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** In the shape of GeoLite2 and DB-IP. */
const country = (code: string) => ({ country: { iso_code: code, names: { en: code } } });
const network = (asn: number, name: string) => ({
  autonomous_system_number: asn,
  autonomous_system_organization: name,
});

const COUNTRIES = mmdbBytes({
  '5.9.0.0/16': country('DE'),
  '37.187.0.0/16': country('FR'),
  '95.216.0.0/16': country('FI'),
  '95.216.7.0/24': country('EE'),
  '104.16.0.0/13': country('US'),
  '139.162.0.0/16': country('GB'),
  '151.101.0.0/16': country('US'),
  '160.16.0.0/15': country('JP'),
  '185.93.1.0/24': country('CZ'),
  '188.40.0.0/15': country('DE'),
  '203.0.113.7/32': country('NZ'),
  '2001:41d0::/32': country('FR'),
  '2606:4700::/32': country('US'),
  '2a01:4f8::/31': country('DE'),
  '2a01:4f9::/32': country('FI'),
  // In the shape of ip-location-db.
  '193.0.0.0/21': { country_code: 'NL' },
  '198.41.0.0/24': { country_code: 'US' },
});
const NETWORKS = mmdbBytes({
  '5.9.0.0/16': network(24_940, 'Hetzner Online GmbH'),
  '37.187.0.0/16': network(16_276, 'OVH SAS'),
  '95.216.0.0/16': network(24_940, 'Hetzner Online GmbH'),
  '104.16.0.0/12': network(13_335, 'Cloudflare, Inc.'),
  '139.162.0.0/16': network(63_949, 'Akamai Connected Cloud'),
  '160.16.0.0/15': network(9_370, 'SAKURA Internet Inc.'),
  '193.0.0.0/21': { autonomous_system_number: 3_333 },
  '203.0.113.0/24': network(4_294_967_295, ' two  spaces \u202e '),
  '2001:41d0::/32': network(16_276, 'OVH SAS'),
  '2606:4700::/32': network(13_335, 'Cloudflare, Inc.'),
  '2a01:4f8::/31': network(24_940, 'Hetzner Online GmbH'),
});

const files = { countryDatabase: written('countries.mmdb', COUNTRIES), asnDatabase: written('asn.mmdb', NETWORKS) };
const none = { countryDatabase: null, asnDatabase: null };
const noWarning = (message: string) => expect.unreachable(message);

const databases = new HostingDatabases(files, noWarning);

const HETZNER = 'Hetzner Online GmbH';
const CLOUDFLARE = 'Cloudflare, Inc.';

test.each<[address: string, country: string | null, asn: number | null, network: string | null, behind: string | null]>(
  [
    ['5.9.0.0', 'DE', 24_940, HETZNER, null],
    ['5.9.255.255', 'DE', 24_940, HETZNER, null],
    ['5.8.255.255', null, null, null, null],
    ['5.10.0.0', null, null, null, null],
    ['37.187.12.34', 'FR', 16_276, 'OVH SAS', null],
    ['95.216.6.255', 'FI', 24_940, HETZNER, null],
    ['95.216.7.0', 'EE', 24_940, HETZNER, null],
    ['95.216.7.255', 'EE', 24_940, HETZNER, null],
    ['95.216.8.0', 'FI', 24_940, HETZNER, null],
    ['139.162.1.1', 'GB', 63_949, 'Akamai Connected Cloud', null],
    ['160.17.3.4', 'JP', 9_370, 'SAKURA Internet Inc.', null],
    ['188.41.0.1', 'DE', null, null, null],
    ['193.0.6.139', 'NL', 3_333, null, null],
    ['198.41.0.4', 'US', null, null, null],
    ['203.0.113.7', 'NZ', 4_294_967_295, 'two spaces', null],
    ['203.0.113.8', null, 4_294_967_295, 'two spaces', null],
    ['0.0.0.0', null, null, null, null],
    ['255.255.255.255', null, null, null, null],
    ['127.0.0.1', null, null, null, null],
    ['104.16.0.0', null, 13_335, CLOUDFLARE, 'Cloudflare'],
    ['104.27.255.255', null, 13_335, CLOUDFLARE, 'Cloudflare'],
    ['104.28.0.0', null, 13_335, CLOUDFLARE, null],
    ['151.101.65.69', null, null, null, 'Fastly'],
    ['185.93.1.243', null, null, null, 'Bunny'],
    ['185.93.1.1', 'CZ', null, null, null],
    ['2001:41d0:1::1', 'FR', 16_276, 'OVH SAS', null],
    ['2606:4700::6810:1', null, 13_335, CLOUDFLARE, 'Cloudflare'],
    ['2a01:4f8:c17:1::2', 'DE', 24_940, HETZNER, null],
    ['2a01:4f9:c010::1', 'FI', 24_940, HETZNER, null],
    ['2a01:4fa::1', null, null, null, null],
    ['::1', null, null, null, null],
  ],
)('%s is in %s, AS %s %s, behind %s', (address, country, asn, network, behind) => {
  expect(databases.locate(address)).toEqual({ country, asn, network, behind });
  // From the cache.
  expect(databases.locate(address)).toEqual({ country, asn, network, behind });
});

test('without a database, only content networks are known, and other facts are not asked for', () => {
  const databases = new HostingDatabases(none, noWarning);
  databases.refresh();
  expect(databases.locate('5.9.0.1')).toEqual({ behind: null });
  expect(databases.locate('104.16.0.1')).toEqual({ behind: 'Cloudflare', country: null });
  expect(new HostingDatabases({ ...none, asnDatabase: files.asnDatabase }, noWarning).locate('5.9.0.1')).toEqual({
    ...{ behind: null, asn: 24_940, network: HETZNER },
  });
});

/** Universities and registries, at addresses that they have held for decades. */
const WELL_KNOWN = {
  ...{ '193.0.6.139': 'NL', '129.132.19.216': 'CH', '131.111.150.25': 'GB', '133.11.0.1': 'JP', '141.20.5.188': 'DE' },
  ...{ '130.237.28.40': 'SE', '128.214.222.24': 'FI', '129.240.171.52': 'NO', '130.225.254.116': 'DK' },
  ...{ '147.83.2.135': 'ES', '193.136.128.1': 'PT', '131.175.187.72': 'IT', '147.102.224.101': 'GR' },
  ...{ '132.64.1.1': 'IL', '143.107.253.62': 'BR', '150.203.2.53': 'AU', '130.216.159.127': 'NZ' },
  ...{ '137.132.21.27': 'SG', '143.248.5.153': 'KR', '166.111.4.100': 'CN', '140.112.8.116': 'TW' },
  ...{ '132.248.10.44': 'MX', '132.204.8.144': 'CA', '128.112.136.61': 'US', '147.32.3.202': 'CZ' },
  ...{ '148.81.185.1': 'PL', '129.104.30.4': 'FR', '193.1.98.1': 'IE', '128.131.1.1': 'AT', '134.58.1.1': 'BE' },
  ...{ '157.181.1.1': 'HU', '158.195.1.1': 'SK', '193.2.1.1': 'SI', '161.53.2.69': 'HR', '137.158.1.1': 'ZA' },
  ...{ '2001:67c:2e8:22::c100:68b': 'NL', '2001:638:a000::1': 'DE', '2001:660:3003::1': 'FR', '2001:6b0:1::1': 'SE' },
  ...{ '2001:620::1': 'CH', '127.0.0.1': null },
};

const packaged = createRequire(import.meta.url).resolve('@ip-location-db/geo-whois-asn-country-mmdb/package.json');

test('the database that init offers has the countries of well-known addresses', () => {
  const countryDatabase = join(dirname(packaged), 'geo-whois-asn-country.mmdb');
  const databases = new HostingDatabases({ ...none, countryDatabase }, noWarning);
  const found = Object.keys(WELL_KNOWN).map((address) => [address, databases.locate(address).country]);
  expect(Object.fromEntries(found)).toEqual(WELL_KNOWN);
});

test('a database of IPv4 addresses says nothing about IPv6 addresses', () => {
  const countryDatabase = join(dirname(packaged), 'geo-whois-asn-country-ipv4.mmdb');
  const databases = new HostingDatabases({ ...none, countryDatabase }, noWarning);
  expect(databases.locate('193.0.6.139').country).toBe('NL');
  expect(databases.locate('2001:638:a000::1')).toEqual({ country: null, behind: null });
});

const countriesCut = COUNTRIES.subarray(0, COUNTRIES.length - 40);
/** The records are overwritten, the tree and the metadata are whole. */
const withoutRecords = Buffer.from(COUNTRIES).fill(
  0xff,
  COUNTRIES.indexOf('iso_code') - 40,
  COUNTRIES.indexOf('\xab\xcd\xef', 'latin1'),
);

test.each([
  ['that is missing', 'countryDatabase', join(folder, 'nowhere.mmdb'), 'is missing'],
  ['that is a folder', 'countryDatabase', folder, 'is unreadable (EISDIR)'],
  ['that is empty', 'asnDatabase', written('empty.mmdb', ''), 'is no MaxMind DB file, or is damaged'],
  [
    'of another format',
    'asnDatabase',
    written('text.mmdb', '1.0.0.0,1.0.0.255,AU\n'.repeat(9_999)),
    'is no MaxMind DB',
  ],
  ['without its end', 'countryDatabase', written('cut.mmdb', countriesCut), 'is no MaxMind DB file, or is damaged'],
  ['with broken records', 'countryDatabase', written('broken.mmdb', withoutRecords), 'is damaged'],
  [
    'of networks as one of countries',
    'countryDatabase',
    files.asnDatabase,
    'holds no countries (it is of the type "test")',
  ],
  ['of countries as one of networks', 'asnDatabase', files.countryDatabase, 'holds no networks (autonomous systems)'],
] as const)('a database %s is refused with file, setting and cure', (_, setting, path, problem) => {
  const open = () => new HostingDatabases({ ...none, [setting]: path }, noWarning);
  expect(open).toThrow(HostingDatabaseError);
  expect(open).toThrow(`network.${setting} ${path} ${problem}`);
  expect(open).toThrow(/: name a MaxMind DB file of .*, such as .*, or null\.$/);
});

test('a replaced database is read again; one that cannot be used is reported once, and the one before stays in use', () => {
  const path = written('replaced.mmdb', mmdbBytes({ '5.9.0.0/16': country('DE') }));
  const warnings: string[] = [];
  const databases = new HostingDatabases({ ...none, countryDatabase: path }, (message) => warnings.push(message));
  const found = () => {
    databases.refresh();
    databases.refresh();
    return databases.locate('5.9.0.1').country;
  };
  expect(found()).toBe('DE');
  writeFileSync(path, mmdbBytes({ '5.9.0.0/16': country('FR'), '5.10.0.0/16': country('IT') }));
  expect(found()).toBe('FR');
  expect(warnings).toEqual([]);

  truncateSync(path, 50);
  expect(found()).toBe('FR');
  writeFileSync(path, NETWORKS);
  expect(found()).toBe('FR');
  rmSync(path);
  expect(found()).toBe('FR');
  expect(warnings.map((warning) => warning.replace(path, 'FILE'))).toEqual([
    expect.stringMatching(/^network\.countryDatabase FILE is no MaxMind DB file, or is damaged: .* stays in use\.$/),
    expect.stringMatching(/^network\.countryDatabase FILE holds no countries .* stays in use\.$/),
    expect.stringMatching(/^network\.countryDatabase FILE is missing: .* stays in use\.$/),
  ]);

  writeFileSync(path, mmdbBytes({ '5.9.0.0/16': country('ES') }));
  expect(found()).toBe('ES');
  expect(warnings).toHaveLength(3);
});

test('a database with a damaged record goes out of use when that is met, and is reported once', () => {
  const whole = Object.fromEntries(
    Array.from({ length: 1_100 }, (_, index) => [`1.${index >> 8}.${index & 255}.0/24`, country('AU')]),
  );
  const bytes = mmdbBytes({ ...whole, '9.9.9.0/24': { country_code: 'CH' } });
  // The control byte of the last record.
  bytes[bytes.indexOf('country_code') - 2] = 0;
  const countryDatabase = written('late.mmdb', bytes);
  const warnings: string[] = [];
  const databases = new HostingDatabases({ ...none, countryDatabase }, (message) => warnings.push(message));
  expect(databases.locate('1.2.3.4')).toEqual({ country: 'AU', behind: null });
  expect(databases.locate('9.9.9.9')).toEqual({ behind: null });
  expect(databases.locate('1.2.3.5')).toEqual({ behind: null });
  databases.refresh();
  expect(warnings).toEqual([expect.stringMatching(/late\.mmdb is damaged: .* It is not used until it is replaced\.$/)]);
});
