import { html } from 'ghtml';
import type { DataFile, DataFolder } from '../../directory/data-folder.ts';
import { withCode } from '../../directory/formatting.ts';
import { contactLink } from '../about/contact-link.ts';
import { renderPage } from '../layout.ts';
import type { Site } from '../site.ts';
import { PRIVATE, type SitePage } from '../site-page.ts';

export interface DataView {
  /** Null before the first export. */
  readonly folder: DataFolder | null;
  /** The operator's contact. */
  readonly contact: string;
}

/** Every exported file: what it holds, its columns, how to read and how to cite it. */
export function dataPage({ folder, contact }: DataView, site: Site): string {
  const { data: words } = site.words;
  const { base, links } = site;
  const urlOf = (path: string) => (base === null ? links.file(path) : `${base}/${path}`);
  const hero = html`<div class="hero">
<h1>${words.title}</h1>
<p>${folder === null ? words.none : words.lead}</p>
!${folder === null ? '' : html`<dl class="figures">!${factsOf(folder, contact, site)}</dl>`}
</div>`;
  const content =
    folder === null
      ? hero
      : html`!${hero}
<div class="pair">
!${citeSection(folder, site)}
!${readSection(folder, site)}
</div>
!${filesSection(folder, site)}
!${datedSection(folder, site)}`;
  const head =
    folder === null ? '' : datasetScript(folder, { pageUrl: base === null ? undefined : `${base}/data`, urlOf });
  return renderPage({ title: words.title, description: words.description, head, content }, site);
}

function factsOf({ dataPackage, files, dated }: DataFolder, contact: string, { words }: Site): string[] {
  const { data: text, format } = words;
  const licence = licenceOf(dataPackage);
  const fact = (name: string, value: string) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`;
  return [
    fact(text.facts.version, html`${format.dateTime(dataPackage.created)}`),
    fact(text.facts.files, html`${format.number(files.length + dated.length)}`),
    fact(text.facts.size, html`${format.bytes(files.reduce((sum, { bytes }) => sum + bytes, 0))}`),
    fact(
      text.facts.licence,
      licence === null
        ? html`<span class="plain">${text.noLicence} !${contactLink(contact)}</span>`
        : html`<a href="${licence.url}" rel="license">${licence.text}</a>`,
    ),
    ...(dataPackage.id === undefined
      ? []
      : [
          fact(text.facts.doi, html`<a href="${dataPackage.id}">${dataPackage.id.replace('https://doi.org/', '')}</a>`),
        ]),
  ];
}

function citeSection({ dataPackage, files }: DataFolder, { words, links, base }: Site): string {
  const { cite: text, ...common } = words.data;
  const { title, version = dataPackage.created, id, created, contributors } = dataPackage;
  const place = id ?? (base === null ? dataPackage.homepage : `${base}/data`);
  const citation = text.of(contributors[0]?.title ?? '', created.slice(0, 4), title, version);
  const about = files.filter(({ format }) => format === 'md' || format === 'cff');
  return html`<section class="panel" aria-labelledby="cite">
<h2 id="cite">${text.title}</h2>
<p>${text.text}</p>
!${copyable(text.citation, place === undefined ? citation : `${citation} ${place}`, '', common)}
<ul>!${about.map(({ path, description }) => html`<li><a href="${links.file(path)}">${path}</a>: ${description}</li>`)}</ul>
</section>`;
}

function readSection({ files }: DataFolder, { words, base }: Site): string {
  const { read: text, ...common } = words.data;
  const snippets = snippetsOf(files, (path) => (base === null ? path : `${base}/${path}`));
  return html`<section class="panel" aria-labelledby="read">
<h2 id="read">${text.title}</h2>
!${snippets.map(([tool, code]) => html`<h3>${tool}</h3>!${copyable(tool, code, 'wrap="off"', common)}`)}
<p class="soft">${base === null ? text.local : text.here}</p>
</section>`;
}

/** A text with a button that copies it. */
function copyable(
  label: string,
  text: string,
  attributes: string,
  { copy, copied }: { copy: string; copied: string },
): string {
  return html`<div class="copyable"><textarea readonly rows="${text.split('\n').length + 1}" !${attributes} aria-label="${label}" spellcheck="false">${text}</textarea>
<button type="button" class="quiet copy" data-copied="${copied}">${copy}<span class="unseen"> (${label})</span></button></div>`;
}

function filesSection({ files }: DataFolder, site: Site): string {
  const { files: text } = site.words.data;
  const groups = Map.groupBy(files, ({ jsonSchema, path }) => jsonSchema ?? path);
  return html`<section class="panel" aria-labelledby="files">
<h2 id="files">${text.title}</h2>
!${[...groups].map(([key, group]) => datasetArticle(key, group, site))}
</section>`;
}

/** The files with the same columns. */
function datasetArticle(key: string, files: readonly DataFile[], site: Site): string {
  const { files: text } = site.words.data;
  const { number } = site.words.format;
  const monthly = files.filter(({ path }) => monthOf(path) !== null);
  const others = files.filter((file) => !monthly.includes(file));
  const months = Map.groupBy(monthly.toReversed(), ({ path }) => monthOf(path) ?? '');
  const [{ description = '', jsonSchema } = {}] = files;
  return html`<article class="dataset">
<h3>${jsonSchema === undefined ? key : key.replace(/^schema\/|\.json$/g, '')}</h3>
<p>!${withCode(description)}</p>
<ul class="files">!${others.map((file) => html`<li>!${fileLink(file, file.path, site)}</li>`)}
!${jsonSchema === undefined ? '' : html`<li><a href="${site.links.file(jsonSchema)}">${text.schema}</a></li>`}</ul>
!${
    months.size === 0
      ? ''
      : html`<details><summary>${text.months(number(months.size))}</summary>
<ul class="files">!${[...months].map(
          ([month, pair]) =>
            html`<li><b>${site.words.format.month(month)}</b> !${pair.map((file) => html`<span>!${fileLink(file, file.format === 'csv' ? 'CSV' : 'Parquet', site)}</span>`)}</li>`,
        )}</ul></details>`
  }
!${columnsTable(files, site)}
</article>`;
}

/** The month of `visits/2026-11.parquet`; null for any other path. */
function monthOf(path: string): string | null {
  return /\/(\d{4}-\d\d)\./.exec(path)?.[1] ?? null;
}

function fileLink(
  { path, rows, bytes, compressedBytes, writtenAt }: DataFile,
  label: string,
  { words, links }: Site,
): string {
  const { format, data } = words;
  const copy =
    compressedBytes === null
      ? ''
      : html` (<a href="${links.file(`${path}.gz`)}">${data.files.compressed(format.bytes(compressedBytes))}</a>)`;
  return html`<a href="${links.file(path)}">${label}</a> <span class="soft">!${rows === undefined ? '' : html`${data.files.rows(format.number(rows))}, `}${format.bytes(bytes)}!${copy}, <time datetime="${new Date(writtenAt).toISOString()}">${format.dateTime(writtenAt)}</time></span>`;
}

function columnsTable(files: readonly DataFile[], { words }: Site): string {
  const { files: text } = words.data;
  const { fields = [] } = files.find(({ schema }) => schema !== undefined)?.schema ?? {};
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, type, unit, description }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${type}${unit === undefined || unit === 'none' ? '' : ` (${unit})`}</td><td>!${withCode(description ?? '')}</td></tr>`,
  );
  const label = text.columns(words.format.number(fields.length));
  return html`<details><summary>${label}</summary>
<div class="scroll" tabindex="0" role="group" aria-label="${label}"><table class="columns-of">
<thead><tr><th scope="col">${text.column}</th><th scope="col">${text.type}</th><th scope="col">${text.meaning}</th></tr></thead>
<tbody>!${rows}</tbody></table></div></details>`;
}

function datedSection({ dated }: DataFolder, { words, links }: Site): string {
  const { dated: text } = words.data;
  const { format } = words;
  if (dated.length === 0) return '';
  const list = (days: DataFolder['dated'], textOf: (date: string) => string) =>
    html`<ul class="days">!${days.map(({ date, name }) => html`<li><a href="${links.file(name)}">${textOf(date)}</a></li>`)}</ul>`;
  const months = [...Map.groupBy(dated, ({ date }) => date.slice(0, 7))].reverse();
  // Only the first file of an old month is kept.
  const single = months.flatMap(([, days]) => (days.length === 1 ? days : []));
  return html`<section class="panel" aria-labelledby="dated">
<h2 id="dated">${text.title}</h2>
<p>${text.text}</p>
!${months
    .filter(([, days]) => days.length > 1)
    .map(
      ([month, days]) =>
        html`<details><summary>${text.days(format.month(month), format.number(days.length))}</summary>!${list(days, format.day)}</details>`,
    )}
!${list(single, format.date)}
</section>`;
}

const page: SitePage = {
  path: '/data',
  // The snippets name the address of this site.
  answer: ({ origin }, { data, about }, site) => ({
    ...PRIVATE,
    body: dataPage({ folder: data(), contact: about().contact }, { ...site, base: origin }),
  }),
};

export const dataRoutes: readonly SitePage[] = [page];

/** A table and the newest month in Parquet, read with three tools. `urlOf` gives the place of a file. */
function snippetsOf(
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

interface Place {
  /** Undefined when unknown. */
  readonly pageUrl: string | undefined;
  readonly urlOf: (path: string) => string;
}

/** The data as a schema.org `Dataset`, in a block of JSON-LD, which browsers do not run. */
function datasetScript({ dataPackage, files, span }: DataFolder, { pageUrl, urlOf }: Place): string {
  const { id, title, description, version, created, keywords, contributors } = dataPackage;
  const dataset = {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    ...{ name: title, description, url: pageUrl, identifier: id, version, dateModified: created, keywords },
    license: licenceOf(dataPackage)?.url,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: contributors[0]?.title },
    temporalCoverage: span ?? undefined,
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
function licenceOf({ licenses = [] }: DataFolder['dataPackage']): { text: string; url: string } | null {
  const [{ name, path } = {}] = licenses;
  if (name !== undefined) return { text: name, url: `https://spdx.org/licenses/${name}.html` };
  return path === undefined ? null : { text: path, url: path };
}
