const maxLength = 200;
/** Of a name that is cut off it can no longer be told whether its owner has opted out. */
const CUT_NAME = /[^\s,;|]*$/;

/**
 * A stranger's text made fit to show in a report: at most 200 characters, without control, format and bidirectional
 * characters (Unicode Cc, Cf, Zl, Zp) or lone surrogates, each of which becomes U+FFFD.
 */
export function excerpt(text: string): string {
  const shown = text.slice(0, maxLength + 1).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\ufffd');
  if (shown.length <= maxLength) return shown;
  const start = shown.slice(0, maxLength - 1);
  const whole = start.replace(CUT_NAME, '');
  return `${whole === '' ? start : whole}…`.toWellFormed();
}
