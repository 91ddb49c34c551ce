/** Every request that a check can make, by what it is for. At most one of each is sent. */
export const REQUEST_NAMES = [
  /** `GET /`. */
  'home',
  /** `GET http://DOMAIN/api/v1/config` on port 80, so that it shows whether a redirect keeps the path; not made for a domain that names a port. */
  'home-http',
  /** `GET https://www.DOMAIN/`, or that of the name without `www.`; not made for a domain that names a port. */
  'home-www',
  'robots',
  /** `GET /api/v1/config` with an `Origin` of another site. */
  'config',
  /** The same to the first IPv4 address alone, and to the first IPv6 address alone; made only where the host has both. */
  'config-ipv4',
  'config-ipv6',
  /** `OPTIONS /api/v1/config` as a browser sends it before a request of another site. */
  'config-preflight',
  'discovery',
  /** The href of the discovery document's 2.0 entry, as given; at whichever host it is. */
  'nodeinfo',
  /** The href of the entry with the highest schema version, where that is not 2.0; as given, at whichever host it is. */
  'nodeinfo-latest',
  /** `GET` of a page, and of an API route, whose names are drawn at random. */
  'unknown-page',
  'unknown-api-route',
  /** `GET /api/v1/account/info/self` without a token. */
  'self-without-token',
  /** `GET /api/v1/video/0`: no snowflake identifier is 0. */
  'unknown-video',
  /** `GET /oauth/authorize` with a client that is not registered. */
  'authorize',
  /** `POST` of an empty JSON object: there is nothing in it to act upon. */
  'token',
  'revoke',
  'apps',
  /** WebFinger of the instance actor, `acct:DOMAIN@DOMAIN`; and of an account whose name is drawn at random. */
  'webfinger',
  'webfinger-unknown',
  /** `GET /ap/actor`, or what WebFinger says of the instance actor, as ActivityPub. */
  'actor',
] as const;

export type RequestName = (typeof REQUEST_NAMES)[number];
