export const data = {
  title: 'Data',
  description: 'Every exported file of this directory: what it holds, its columns, how to read it, and how to cite it.',
  lead: 'All that this directory knows, as files: who is listed, every visit and its outcome, every change. Unknown values are empty, never 0.',
  none: 'Nothing was exported yet.',
  facts: { version: 'Written', files: 'Files', size: 'Size', licence: 'Licence', doi: 'DOI' },
  noLicence: 'None stated. Where databases are protected, ask before you reuse the data:',
  copy: 'Copy',
  copied: 'Copied',
  cite: {
    title: 'Cite',
    text: 'Most files are rewritten as the crawler goes on. Name the time of the data, or cite a dated file, which stays as it is.',
    citation: 'Citation',
    of: (publisher: string, year: string, title: string, version: string) =>
      `${publisher} (${year}): ${title}. Version ${version}.`,
  },
  read: {
    title: 'Read',
    here: 'Any other file is read alike.',
    local: 'With the files in the current folder; any other file is read alike.',
  },
  files: {
    title: 'Files',
    rows: (count: string) => `${count} rows`,
    compressed: (size: string) => `compressed ${size}`,
    columns: (count: string) => `${count} columns`,
    schema: 'JSON Schema',
    months: (count: string) => `${count} months`,
    column: 'Column',
    type: 'Type',
    meaning: 'Meaning',
  },
  dated: {
    title: 'Dated files',
    text: 'The servers as they were listed on each day, as compressed JSON. A dated file is rewritten only when a server asks not to be published.',
    days: (month: string, count: string) => `${month}: ${count} days`,
  },
};
