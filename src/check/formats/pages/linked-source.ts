const RFC = 'https://www.rfc-editor.org/rfc/rfc';
const NODEINFO = 'https://github.com/jhass/nodeinfo/blob/main/';

/** Where sources that are no RFC can be read. The interface specification has no public address. */
const ADDRESSES: readonly [name: RegExp, address: string][] = [
  [/NodeInfo protocol 2\.0/, `${NODEINFO}PROTOCOL.md`],
  [/NodeInfo 2\.0 schema/, `${NODEINFO}schemas/2.0/schema.json`],
  [/Fetch Standard, CORS-preflight fetch/, 'https://fetch.spec.whatwg.org/#cors-preflight-fetch'],
  [/Fetch Standard, CORS protocol/, 'https://fetch.spec.whatwg.org/#http-cors-protocol'],
  [/ActivityPub and WebFinger/, 'https://www.w3.org/community/reports/socialcg/CG-FINAL-apwf-20240608/'],
  [/ActivityPub section 3\.2/, 'https://www.w3.org/TR/activitypub/#retrieving-objects'],
  [/ActivityPub section 4\.1/, 'https://www.w3.org/TR/activitypub/#actor-objects'],
  [/Semantic Versioning 2\.0\.0/, 'https://semver.org/spec/v2.0.0.html'],
  [/Unicode Standard Annex 9/, 'https://www.unicode.org/reports/tr9/'],
  [/Google Search Central/, 'https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag'],
  [/CA\/Browser Forum Baseline Requirements/, 'https://cabforum.org/working-groups/server/baseline-requirements/'],
  [
    /IANA special-purpose address registries/,
    'https://www.iana.org/assignments/iana-ipv4-special-registry/iana-ipv4-special-registry.xhtml',
  ],
  [/Laravel documentation: Configuration, Debug Mode/, 'https://laravel.com/docs/configuration#debug-mode'],
  [/\bFEP-2677\b/, 'https://codeberg.org/fediverse/fep/src/branch/main/fep/2677/fep-2677.md'],
];

/** A source of a rule in Markdown, with a link where it has a public address: an address leads to itself, an RFC to its text. */
export function linkedSource(source: string): string {
  const linked = source.replace(/(?<![<(\w/])https?:\/\/[^\s)>,;]+/g, '<$&>');
  return ADDRESSES.reduce((text, [name, address]) => text.replace(name, `[$&](${address})`), linked)
    .replace(/\bRFC (\d+)/g, `[RFC $1](${RFC}$1)`)
    .replace(/\bCWE-(\d+)/g, '[CWE-$1](https://cwe.mitre.org/data/definitions/$1.html)')
    .replace(/\bGHSA(?:-[a-z0-9]{4}){3}\b/g, '[$&](https://github.com/advisories/$&)');
}
