/**
 * Where a redirect of a source leads, or why it is not followed: to its own host as it was asked, or to https, without user and password,
 * at a usual port or its own. The addresses there are judged like any.
 */
export function redirectTarget(from: URL, location: string | undefined): URL | string {
  if (location === undefined || !URL.canParse(location, from.href)) return 'it redirects to nowhere';
  const to = new URL(location, from);
  const isOwn = to.hostname === from.hostname;
  if (to.protocol !== 'https:' && !(isOwn && to.protocol === from.protocol))
    return `it redirects to ${to.protocol.slice(0, 20)}//, which is not followed`;
  if (to.username !== '' || to.password !== '') return 'it redirects to an address with a user name';
  if (to.port !== '' && to.port !== '443' && !(isOwn && to.port === from.port))
    return `it redirects to port ${to.port}, which is not followed`;
  return to;
}
