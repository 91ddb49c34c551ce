/** The files that have no schema; the codebook tells of them after those that have one. */
export const otherFiles = `## \`domains.txt\`

The domains of the listed instances, one a line (LF), sorted as in \`instances.json\`; with the port when it is not 443.

## \`feed.atom\`

The 100 newest events as an Atom feed (RFC 4287), newest first: an instance was listed for the first time (\`new\`), is no longer listed
(\`gone\`), is listed again (\`back\`), or runs a newer version (\`upgraded\`). The word is the \`category\` of the entry, \`updated\` is when it came about,
and the link leads to the instance. The id of an entry stays the same as long as the crawler names the same contact. There is no link with \`rel="self"\`:
an export does not know at which address it will be published.

## \`CITATION.cff\`

How to cite the data, in the Citation File Format 1.2.0; its version is the day of the last visit.
`;
