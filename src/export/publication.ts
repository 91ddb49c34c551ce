/** Who publishes the exported data, and how they may be used. */
export interface Publication {
  /** The name of the directory. */
  readonly publisher: string;
  /** The operator's contact address, as in the User-Agent. */
  readonly contact: string;
  /** An SPDX id or an https URL; null when the publisher states none. */
  readonly licence: string | null;
  readonly doi: string | null;
  /** Where the directory is published, without a final slash; null when unknown. */
  readonly url: string | null;
}

export const UNNAMED: Publication = { publisher: 'Loopscout', contact: '', licence: null, doi: null, url: null };

export const TITLE = 'Servers of Loops, as found by Loopscout';

/** The lines of a paragraph about the data. */
export const ABSTRACT = [
  'The servers of Loops, the federated short-video service: what each offers and reports, every visit and its',
  'outcome, every change of a recorded fact, and every known domain with its software. CODEBOOK.md explains each',
  'field; manifest.json lists the files with their SHA-256.',
];

export const KEYWORDS = ['fediverse', 'loops', 'nodeinfo'];

/** Whether a licence is named by its URL. */
export function isLicenceUrl(licence: string): boolean {
  return licence.startsWith('https://');
}
