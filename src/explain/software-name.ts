/** What cannot be seen at all, or not told from an ordinary space. */
const UNSEEN = /[\p{Cf}\p{Cc}]|(?! )\p{White_Space}/gu;
/** Spaces at an end, or beside another. */
const LOST_SPACES = /^ +| +$| {2,}/g;

/** Whether a name may be taken for the one of the service: it holds it or is held by it, but for case, spaces and signs, or has letters that may look like its. */
export function isNearlyNamed(software: string, softwareId: string): boolean {
  const [one, other] = [plain(software), plain(softwareId)];
  return /[^ -~]/.test(software) || one.includes(other) || (one !== '' && other.includes(one));
}

/** A name in quotes, with white space made visible: a space that would be lost as `␣`, all else as its code point. */
export function quotedName(software: string): string {
  const seen = software
    .replace(LOST_SPACES, (spaces) => '␣'.repeat(spaces.length))
    .replace(UNSEEN, (sign) => `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`);
  return `"${seen}"`;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
