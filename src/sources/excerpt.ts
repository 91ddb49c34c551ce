const maxLength = 200;

/**
 * A stranger's text made fit to show in a report: at most 200 characters, without control, format and bidirectional
 * characters (Unicode Cc, Cf, Zl, Zp) or lone surrogates, each of which becomes U+FFFD.
 */
export function excerpt(text: string): string {
  const shown = text.slice(0, maxLength + 1).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '\ufffd');
  return shown.length > maxLength ? `${shown.slice(0, maxLength - 1)}…`.toWellFormed() : shown;
}
