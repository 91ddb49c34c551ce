/** A robots.txt in the form that live servers ship: by the longest match (RFC 9309), config is disallowed, NodeInfo is not. */
export const stockRobots = `User-agent: *
Allow: /
Allow: /.well-known/nodeinfo
Allow: /nodeinfo/2.0
Allow: /nodeinfo/2.1
Disallow: /api/
Allow: /api/v1/video/
Allow: /api/v1/account/username/
Allow: /api/v1/tags/
`;
