import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** An npm package, free of rights (CC0), whose database of countries has 8 MB. */
const PACKAGE = '@ip-location-db/geo-whois-asn-country-mmdb';
const FILE = `node_modules/${PACKAGE}/geo-whois-asn-country.mmdb`;

/** The setting for the database of countries, when its package is installed in the folder. */
export function countryDatabaseIn(folder: string): { network?: { countryDatabase: string } } {
  return existsSync(join(folder, FILE)) ? { network: { countryDatabase: FILE } } : {};
}

/** How the directory learns in which countries and networks servers are. */
export function hostingOffer(folder: string): string {
  const countries = existsSync(join(folder, FILE))
    ? `The country of each server is looked up in ${FILE}.`
    : `To learn the country of each server, run npm install ${PACKAGE} (CC0, 8 MB) in that folder, and set network.countryDatabase to ${FILE}.`;
  return `${countries} For the networks of servers, set network.asnDatabase to GeoLite2-ASN.mmdb (maxmind.com, GeoLite licence) or the DB-IP ASN Lite database (db-ip.com, CC BY 4.0). No look-up leaves this machine.\n`;
}
