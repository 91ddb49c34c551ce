import type { DataFile } from '../../directory/data-folder.ts';

/** A table and the newest month in Parquet, read with three tools. `urlOf` gives the place of a file. */
export function snippetsOf(
  files: readonly DataFile[],
  urlOf: (path: string) => string,
): readonly [tool: string, code: string][] {
  const table = files.find(({ path, format }) => format === 'csv' && !path.includes('/'));
  const month = files.findLast(({ path, format }) => format === 'parquet' && path.includes('/'));
  const lines = (codeOf: (name: string, url: string, format: 'csv' | 'parquet') => string) =>
    [table, month].flatMap((file) =>
      file === undefined ? [] : [codeOf(nameOf(file.path), urlOf(file.path), file === table ? 'csv' : 'parquet')],
    );
  return [
    ['DuckDB', lines((_, url) => `select * from '${url}';`).join('\n')],
    [
      'Python',
      ['import pandas as pd', ...lines((name, url, format) => `${name} = pd.read_${format}("${url}")`)].join('\n'),
    ],
    [
      'R',
      lines(
        (name, url, format) => `${name} <- ${format === 'csv' ? 'read.csv' : 'arrow::read_parquet'}("${url}")`,
      ).join('\n'),
    ],
  ];
}

/** `visits` for `visits/2026-11.parquet`. */
function nameOf(path: string): string {
  return path.replace(/[/.].*$/, '');
}
