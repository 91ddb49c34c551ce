/** Whether a media type is that of ActivityStreams in JSON (ActivityPub section 3.2): its own, or JSON-LD with the profile. */
export function isActivityType(type: unknown): boolean {
  if (typeof type !== 'string') return false;
  const [essence = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (essence === 'application/activity+json') return true;
  return (
    essence === 'application/ld+json' &&
    parameters.some((one) => one.startsWith('profile=') && one.includes('https://www.w3.org/ns/activitystreams'))
  );
}
