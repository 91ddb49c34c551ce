import type { DataFolder } from '../../directory/data-folder.ts';

interface Place {
  /** Undefined when unknown. */
  readonly pageUrl: string | undefined;
  readonly urlOf: (path: string) => string;
}

/** The data as a schema.org `Dataset`, in a block of JSON-LD, which browsers do not run. */
export function datasetScript({ dataPackage, files, dated }: DataFolder, { pageUrl, urlOf }: Place): string {
  const { id, title, description, version, created, keywords, contributors } = dataPackage;
  const [first] = dated;
  const dataset = {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    ...{ name: title, description, url: pageUrl, identifier: id, version, dateModified: created, keywords },
    license: licenceOf(dataPackage)?.url,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: contributors[0]?.title },
    temporalCoverage: first && `${first.date}/${dated.at(-1)?.date}`,
    distribution: files
      .filter(({ path }) => !path.includes('/'))
      .map(({ path, mediatype, bytes }) => ({
        ...{ '@type': 'DataDownload', name: path, contentUrl: urlOf(path) },
        ...{ encodingFormat: mediatype, contentSize: `${bytes} B` },
      })),
  };
  return `<script type="application/ld+json">${JSON.stringify(dataset).replaceAll('<', '\\u003c')}</script>`;
}

/** The licence with its URL; null when none is stated. */
export function licenceOf({ licenses = [] }: DataFolder['dataPackage']): { text: string; url: string } | null {
  const [{ name, path } = {}] = licenses;
  if (name !== undefined) return { text: name, url: `https://spdx.org/licenses/${name}.html` };
  return path === undefined ? null : { text: path, url: path };
}
