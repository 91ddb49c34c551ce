/** The kinds of hosts of a fleet, by the rule whose finding comes first. `none`: no failure or warning. */
export const KINDS_BY_CAUSE: Readonly<Record<string, readonly string[]>> = {
  'agreement-registration': ['loops-registration-mismatch'],
  'agreement-software': ['loops-software-mismatch', 'other-by-config'],
  'agreement-version': ['loops-version-mismatch'],
  'agreement-version-config': ['loops-no-config', 'loops-alpha', 'loops-nodeinfo-over-http'],
  'config-answered': [
    'loops-config-500',
    'loops-config-too-large',
    'loops-config-stalls',
    'loops-config-truncated',
    'loops-config-unfinished',
    'loops-config-negative-length',
    'loops-config-short-length',
    'loops-config-large-headers',
    'loops-config-gzip-bomb',
    'loops-config-closed',
    'loops-config-reset',
    'loops-config-reset-early',
    'loops-config-not-http',
    'loops-config-502',
    'loops-config-drips-on',
    'loops-config-stalls-in-headers',
    'rate-limited',
    'rate-limited-until',
    'rate-limited-until-rfc850',
    'rate-limited-until-asctime',
    'rate-limited-until-past',
    'rate-limited-zero',
    'rate-limited-negative',
    'rate-limited-fraction',
    'rate-limited-huge',
    'rate-limited-soon',
    'rate-limited-empty',
    'rate-limited-unsaid',
    'rate-limited-nodeinfo',
    'http-500',
    'http-502',
    'http-503-everywhere',
    'reset-on-request',
    'closed-on-request',
    'truncated',
    'length-not-a-number',
    'large-headers',
    'not-http',
    'stalls-on-request',
    'drips',
    'stalls-in-headers',
    'stalls-in-body',
  ],
  'config-content-type': ['loops-content-type'],
  'config-duplicate-keys': ['loops-config-duplicate-keys'],
  'config-encoding': ['loops-bom', 'loops-config-invalid-utf8'],
  'config-field-types': ['loops-wrong-types'],
  'config-fields-missing': ['loops-beta-11', 'loops-beta-9', 'loops-beta-6'],
  'config-json': [
    'loops-config-trailing-garbage',
    'loops-config-deep',
    'loops-config-not-quite-json',
    'config-empty-list',
    'config-null',
    'config-string',
    'web-app-everywhere',
  ],
  'config-public': ['login-wall'],
  'config-redirect': [
    'loops-config-moved',
    'loops-config-three-hops',
    'loops-config-five-hops',
    'loops-config-redirect-loop',
    'loops-config-to-loopback',
    'loops-config-to-private',
    'loops-config-to-http',
    'loops-config-to-data',
    'redirect-loop',
    'redirect-chain',
    'redirect-to-http',
    'redirect-to-data',
    'redirect-to-loopback',
    'redirect-to-private',
    'redirected',
    'redirected-for-now',
    'redirected-to-front-page',
    'config-redirected',
    'discovery-redirected',
  ],
  'config-software': [
    'loops-capital',
    'loops-trailing-space',
    'config-empty-object',
    'config-app-string',
    'config-app-list',
    'config-software-list',
    'config-software-elsewhere',
  ],
  'config-status': ['loops-nodeinfo-other-host', 'not-found-everywhere', 'gone'],
  'config-url': ['loops-localhost-url'],
  'dns-public': ['address-private', 'address-mixed'],
  'dns-resolves': ['dns-nxdomain', 'dns-servfail', 'dns-no-address', 'dns-refused', 'dns-silent'],
  'http-challenge': ['challenge-page-503', 'challenge-page'],
  'http-compression': ['loops-config-padded'],
  'http-home': ['parked-page', 'default-page', 'maintenance-page'],
  'nodeinfo-counts': ['gotosocial'],
  'nodeinfo-discovery': [
    'loops-nodeinfo-500',
    'loops-only-software',
    'loops-nodeinfo-reset',
    'loops-nodeinfo-over-long',
    'loops-longer',
    'discovery-too-large',
    'discovery-503',
    'discovery-truncated',
  ],
  'nodeinfo-discovery-json': ['discovery-list', 'discovery-not-json', 'discovery-deep'],
  'nodeinfo-discovery-type': ['nodeinfo-content-type'],
  'nodeinfo-document': [
    'href-moved',
    'href-dead',
    'href-http',
    'href-redirected',
    'nodeinfo-too-large',
    'nodeinfo-gzip-bomb',
    'nodeinfo-brotli',
    'nodeinfo-truncated',
  ],
  'nodeinfo-encoding': ['nodeinfo-invalid-utf8', 'nodeinfo-bom', 'nodeinfo-duplicate-keys'],
  'nodeinfo-field-types': ['loops-odd-counts', 'pixelfed', 'nodeinfo-odd-types', 'nodeinfo-version-number'],
  'nodeinfo-href': ['links-torn', 'href-no-scheme', 'href-relative', 'href-scheme', 'href-other-port'],
  'nodeinfo-json': ['nodeinfo-not-json', 'nodeinfo-trailing-garbage', 'nodeinfo-deep', 'nodeinfo-single-quotes'],
  'nodeinfo-links': ['lemmy-links-object', 'hubzilla-links-keyed', 'links-empty', 'nodeinfo-at-well-known'],
  'nodeinfo-links-once': ['several-2.0-links'],
  'nodeinfo-rel': ['rel-https', 'only-2.1', 'only-1.0', 'links-capitalised'],
  'nodeinfo-schema': ['nodeinfo-capitals'],
  'nodeinfo-software': ['loops-capital-nodeinfo', 'nodeinfo-software-list', 'nodeinfo-no-software'],
  'robots-available': ['robots-500', 'robots-reset', 'robots-truncated'],
  'robots-config': ['loops-robots-forbids-all'],
  'robots-names-loopscout': ['robots-forbids-us'],
  'robots-nodeinfo': ['robots-forbids-nodeinfo'],
  'tls-chain': ['tls-incomplete-chain'],
  'tls-connects': ['connection-refused', 'reset-on-connect', 'tls-not-spoken', 'stalls-on-connect'],
  'tls-expiry': ['tls-expired', 'tls-not-yet-valid'],
  'tls-names': ['tls-wrong-name'],
  'tls-protocol': ['tls-old-protocol', 'tls-oldest-protocol'],
  'tls-trusted': ['tls-self-signed', 'tls-unknown-authority'],
  none: [
    'loops',
    'loops-live',
    'loops-klipy',
    'loops-curated',
    'loops-federation-off',
    'loops-first-500',
    'loops-unknown-keys',
    'loops-gzip',
    'loops-config-no-length',
    'loops-config-dripping',
    'loops-config-late',
    'mastodon',
    'mastodon-html-404',
    'peertube',
    'misskey',
    'pleroma',
    'diaspora',
    'wordpress',
    'href-double-slash',
    'href-with-query',
    'nodeinfo-first-503',
    'config-redirected-nodeinfo-here',
    'config-gone-nodeinfo-here',
    'loops-relay',
  ],
};

/** For each of `FAULT_SAMPLES`: the rule whose finding comes first when every route has the fault. Null: no failure or warning. */
export const CAUSES_OF_FAULTS: readonly (string | null)[] = [
  'config-json', // status-200
  'config-json', // status-204
  'config-public', // status-403-h1-forbidden-h1
  'config-status', // status-404
  'config-status', // status-410
  'config-answered', // server-error
  null, // server-error-1
  'config-answered', // rate-limited-date
  'config-answered', // rate-limited-garbage
  'config-redirect', // redirect-loop
  'config-redirect', // redirect-chain
  'config-redirect', // redirect-loopback
  'config-redirect', // redirect-private
  'config-redirect', // redirect-http
  'config-redirect', // redirect-data
  'config-redirect', // redirect-https-another-name-ex
  null, // redirect-query
  'federation-actor', // content-type-text-html
  'config-software', // json-members
  'robots-syntax', // invalid-utf8
  'config-json', // invalid-json-cut
  'config-json', // invalid-json-html
  'config-json', // invalid-json-empty
  'config-json', // deep-json
  'config-duplicate-keys', // duplicate-keys
  'config-answered', // large-body
  'config-answered', // large-headers
  null, // gzip
  'config-answered', // gzip-bomb
  null, // no-content-length
  'config-answered', // unfinished-chunks
  'config-answered', // truncated
  'config-answered', // over-long
  'config-answered', // wrong-length-unknown
  'config-answered', // not-http
  'config-answered', // close
  'config-answered', // reset-before-headers
  'config-answered', // reset-in-headers
  'config-answered', // reset-in-body
  null, // delay-2000
  'config-answered', // drip
  'config-answered', // stall-before-headers
  'config-answered', // stall-in-headers
  'config-answered', // stall-in-body
];
