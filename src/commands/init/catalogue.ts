import { readFileSync } from 'node:fs';

/** A source of the catalogue, as it is written in the settings file. */
export interface CatalogueSource {
  type: string;
  id: string;
  enabled: boolean;
  url?: string;
  note: string;
}

/** The remote sources that `init` offers, and the text of `seeds.txt`. */
export interface Catalogue {
  sources: CatalogueSource[];
  seeds: string;
}

/** `crawler.config.json` at the root of the package, which is the parent folder of both `src` and `dist`. */
const PACKAGE = new URL('../../../', import.meta.url);

/** Reads the catalogue: the settings file of the package, with its file of seeds. */
export function readCatalogue(): Catalogue {
  const { sources } = JSON.parse(readFileSync(new URL('crawler.config.json', PACKAGE), 'utf8'));
  const remote: Partial<CatalogueSource>[] = sources.filter(({ type }: CatalogueSource) => type !== 'file');
  return {
    sources: remote.map(({ type = '', id = type, enabled = true, note = '', ...rest }) => ({
      type,
      id,
      enabled,
      ...rest,
      note,
    })),
    seeds: readFileSync(new URL('data/seeds.txt', PACKAGE), 'utf8'),
  };
}

export function readServiceUnit(): string {
  return readFileSync(new URL('data/deploy/loopscout.service', PACKAGE), 'utf8');
}
