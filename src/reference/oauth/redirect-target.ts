/**
 * Where the browser is sent: the registered URI, its own query kept (RFC 6749 section 3.1.2), with the parameters of the answer
 * and `state` as the client wrote it. `rawState` is one of `rawQueryOf`: it holds nothing that could end the URL or the header.
 */
export function redirectTarget(
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
  rawState: string | undefined,
): string {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (rawState !== undefined) pairs.push(`state=${rawState}`);
  const mark = redirectUri.indexOf('?');
  const isOpen = mark === redirectUri.length - 1 || redirectUri.endsWith('&');
  const separator = mark === -1 ? '?' : isOpen ? '' : '&';
  return redirectUri + separator + pairs.join('&');
}
