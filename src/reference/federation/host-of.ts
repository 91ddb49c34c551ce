/** The host that accounts of a server at `url` are named by, with its port when that is not the usual one; null for what is no URL. */
export function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}
