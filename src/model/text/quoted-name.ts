/** Invisible characters, and white space that looks like an ordinary space. */
const INVISIBLE = /[\p{Cf}\p{Cc}]|(?! )\p{White_Space}/gu;
/** Leading, trailing and repeated spaces. */
const COLLAPSING_SPACES = /^ +| +$| {2,}/g;

/** A name in quotes with visible white space: leading, trailing and repeated spaces as `␣`, invisible characters as code points. */
export function quotedName(name: string): string {
  const visible = name
    .replace(COLLAPSING_SPACES, (spaces) => '␣'.repeat(spaces.length))
    .replace(
      INVISIBLE,
      (character) => `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
  return `"${visible}"`;
}

/** A name as a table shows it: in quotes if it has characters that could make it look like another, such as a trailing space. */
export function distinctName(name: string): string {
  const quoted = quotedName(name);
  return quoted === `"${name}"` && /^[!-~]+( [!-~]+)*$/.test(name) ? name : quoted;
}
