import { specification } from '../reference/specification-list.ts';

/** A sentence or a table row of the specification, in our words, with the clauses that test it, or why none can. */
export interface Statement {
  section: string;
  statement: string;
  clauses: readonly string[];
  /** Why no clause can test it; null when there are clauses. */
  untestable: string | null;
}

/** The prefix of the clauses about fields, by the section of the table. */
const TABLES: Readonly<Record<string, string>> = {
  '2.1': 'app',
  '2.2': 'token',
  '2.3': 'account',
  '2.4': 'video',
  '2.5': 'config',
  '2.6': 'discovery',
  '2.7': 'nodeinfo',
};

/** One statement for each field of section 2. The list of the specification also has rules in words, which {@link others} covers. */
const fields: Statement[] = specification.flatMap(([section, names]) =>
  names
    .filter((name) => TABLES[section] !== undefined && /^[\w.[\]]+$/.test(name))
    .map((name) => ({
      section,
      statement: `\`${name}\` and its type`,
      clauses: [`${TABLES[section]}.${name.replace('[]', '')}`],
      untestable: null,
    })),
);

const LEFT_OPEN = 'the specification leaves this open';
const ONE_APP = 'it needs an app of another kind, and those of a run are alike';
const MEANING = 'only the server knows whether the value is true';

/** Every other sentence and row, with its clauses separated by spaces, or with an exclamation mark and why it cannot be tested. */
const others: readonly (readonly [section: string, rows: Readonly<Record<string, string>>])[] = [
  ['2', { 'types are as observed, values are placeholders': '!it is about the tables, not about servers' }],
  [
    '2.1',
    {
      'name is the one given': 'app.name.given',
      'website is the one given': 'app.website.given',
      'redirect URI is the one given': 'app.redirect_uri.given',
      'client id and client secret are identifiers': 'app.credentials.non-empty',
      'client secret is kept server-side': 'client.secret.kept',
    },
  ],
  [
    '2.2',
    {
      'the token is a Bearer token': 'token.access_token.characters',
      'token type': 'token.token_type.bearer',
      'scopes are separated by spaces': 'token.scope.format',
      'creation time in seconds': 'token.created_at.seconds token.created_at.clock',
    },
  ],
  [
    '2.3',
    {
      'wrapped in the single key data': 'account.wrapped',
      'avatar is an image URL': 'account.avatar.url',
      'is_owner is true for the account of the token': 'account.is_owner.self',
      'local is true for an account of this instance': 'account.local.self account.url.on-server',
      'bio has the maximum length of the configuration': 'account.bio.length',
      'the fields of posts, followers, accounts followed and likes are counts': 'account.counts',
      'url is on the instance': 'account.url.on-server',
      'remote_url is null for a local account': 'account.remote_url.local',
      'is_blocking is null in the self response': 'account.is_blocking.self',
      'created_at has an offset': 'account.created_at.iso-8601',
      'approval of followers, playlists, administrator': `!${MEANING}`,
      'url of a link is a display form, possibly shortened': '!any text is a display form',
      'is_verified tells whether the link is verified': `!${MEANING}`,
      'fields that may be absent or null beyond those observed': `!${LEFT_OPEN}`,
    },
  ],
  [
    '2.4',
    {
      'a bare object': 'video.bare',
      'id is a decimal string': 'video.id.decimal',
      'url is the public page': 'video.url.web',
      'shortcode is the last part of url': 'video.shortcode.in-url',
      'is_owner, has_liked and has_bookmarked concern the requester': 'video.guest video.is_owner.token',
      'created_at has an offset': 'video.created_at.iso-8601',
      'thumbnail, video file and HLS playlist are URLs': 'video.url.web',
      'likes, shares, comments and bookmarks are counts; duration is in seconds, width and height in pixels':
        'video.numbers',
      'sensitive, local, pinned, edited, permissions, AI, advertising': `!${MEANING}`,
      'elements of tags and mentions': `!${LEFT_OPEN}`,
    },
  ],
  [
    '2.5',
    {
      'app.url is the base URL': 'config.app.url.base',
      'app.software is the software identifier': 'config.app.software.loops',
      'app.version is the running version': 'config.app.version.non-empty version.same',
      'upload size in megabytes': 'limits.max_video_size.megabytes',
      'registration_mode reports how registration is handled': 'config.registration_mode.non-empty',
      'the full set of registration modes': `!${LEFT_OPEN}`,
      'the switches report what is available': `!${MEANING}`,
      'the live name of the GIF switch': 'config.hasGifProvider',
    },
  ],
  [
    '2.6',
    {
      'rel of the 2.0 entry ends with /schema/2.0': 'discovery.schema-2.0',
      'href is an address': 'discovery.href.url',
    },
  ],
  [
    '2.7',
    {
      'version is 2.0': 'nodeinfo.version.2.0',
      'software.name is the software identifier': 'nodeinfo.software.name.loops',
      'software.version is the running version': 'version.same',
      'protocols include activitypub': 'nodeinfo.protocols.activitypub',
      'openRegistrations tells whether registration is open': 'nodeinfo.openRegistrations.same',
      'users and posts are counts': 'nodeinfo.usage.counts',
      'metadata is free-form': '!any object is valid',
    },
  ],
  ['3', { 'states and transitions': `!${LEFT_OPEN}` }],
  [
    '4',
    {
      'bodies are JSON': [
        ...['config', 'discovery', 'nodeinfo', 'video', 'account', 'apps', 'token'].map(
          (name) => `endpoint.${name}.content-type`,
        ),
        'client.json',
      ].join(' '),
      'endpoint 1, GET /oauth/authorize, which the user approves': 'endpoint.authorize authorize.consent',
      'endpoint 2, POST /oauth/token': 'token.authorization_code token.client_credentials',
      'endpoint 3, POST /oauth/revoke': 'endpoint.revoke revoke.token.status',
      'payload and response of endpoint 3': `!${LEFT_OPEN}; RFC 7009 decides (revoke.unknown, revoke.client, revoke.empty)`,
      'endpoint 4, POST /api/v1/apps': 'endpoint.apps',
      'endpoint 5, GET /api/v1/account/info/self': 'endpoint.account account.needs-token account.needs-valid-token',
      'endpoint 6, GET /api/v1/video/{video_id}':
        'endpoint.video endpoint.video.unknown endpoint.video.unknown.json public.video',
      'endpoint 7, GET /api/v1/config': 'endpoint.config public.config',
      'endpoint 7 is requested with Accept: application/json': 'client.config.accept',
      'endpoint 8, GET /.well-known/nodeinfo': 'endpoint.discovery public.nodeinfo',
      'endpoint 9, the href of endpoint 8': 'endpoint.nodeinfo public.nodeinfo',
      'video_id is the decimal id of the video': 'endpoint.video.requested client.video.id',
    },
  ],
  [
    '4.1',
    {
      'response_type must be code':
        'authorize.response_type.required authorize.response_type.code client.authorize.response_type',
      'client_id is that of a registered app':
        'authorize.client_id.required authorize.client_id.known client.authorize.client_id',
      'redirect_uri must be a registered one':
        'authorize.redirect_uri.required authorize.redirect_uri.registered authorize.redirect_uri.used',
      'redirect_uri is URL-encoded': 'client.authorize.redirect_uri',
      'a space between scopes is written + or %20': `!it needs an app with two scopes; ${ONE_APP}`,
      'scope is optional': 'endpoint.authorize authorize.scope.registered',
      'scope must be a subset': 'authorize.scope.subset client.authorize.scope',
      'state is optional, recommended, opaque and echoed':
        'authorize.state.echoed authorize.state.long authorize.state.optional client.state.sent',
      'the client verifies the state': 'client.state.checked',
    },
  ],
  [
    '4.2',
    {
      'grant_type is required, and one of two':
        'token.grant_type.required token.grant_type.known client.token.grant_type',
      'client_id is from the registration':
        'token.empty token.client_id.required token.client_id.known client.token.credentials',
      'client_secret is from the registration':
        'token.client_secret.required token.client_secret.right token.client_secret.app token.client_secret.with-code client.token.credentials',
      'redirect_uri is that of the authorize step':
        'token.redirect_uri.required token.redirect_uri.same client.token.redirect_uri',
      'code is the one received': 'token.code.required token.code.known client.token.code',
      'scope is optional': 'token.client_credentials token.scope.subset token.scope.read',
      'Content-Type is application/json': 'token.authorization_code client.json',
    },
  ],
  [
    '4.3',
    {
      'client_name is required': 'apps.empty apps.client_name.required client.apps.fields',
      'redirect_uris is required': 'apps.empty apps.redirect_uris.required client.apps.fields',
      'the out-of-band URI': `!${ONE_APP}`,
      'scopes are optional and default to read': 'endpoint.apps scope.default',
      'website is optional': `!${ONE_APP}, with a website, so that the record can be compared`,
      'registration is done once per instance': 'client.apps.once',
    },
  ],
  [
    '4.4',
    {
      'option A: app.software equals the identifier':
        'config.app.software.loops client.identify.exact client.identify.config-first client.identify.config-decides',
      'option B: the 2.0 link leads to software.name':
        'discovery.schema-2.0 endpoint.nodeinfo nodeinfo.software.name.loops client.identify.schema-2.0',
      'the href is followed exactly as given': 'endpoint.nodeinfo client.identify.href',
      'without the link, the server is not identified': 'client.identify.schema-2.0',
      'endpoint 7 returns limits and capabilities in one call': 'client.identify.config-first',
    },
  ],
  [
    '5',
    {
      'authorization code grant, after a registration':
        'endpoint.authorize token.authorization_code client.registered-first',
      'the flow: browser, redirect with code, state, token':
        'endpoint.authorize authorize.state.echoed token.authorization_code client.state.checked',
      'requests carry Authorization: Bearer': 'endpoint.account client.token.header client.token.only-in-header',
      'the scopes are read, write and follow': 'metadata.scopes',
      'requested scopes are a subset': 'authorize.scope.subset token.scope.subset',
      'the default scope is read': 'scope.default',
      'the account endpoint needs read': 'client.token.scope',
      'a token without a user by client_credentials': 'token.client_credentials account.needs-user',
      'other fields of client_credentials': `!${LEFT_OPEN}`,
      'a token can be revoked at any time': 'revoke.token revoke.token.status endpoint.revoke',
      'clients without a secret: out of band': `!${ONE_APP}`,
      'clients without a secret: PKCE': 'pkce.public pkce.verifier pkce.verifier.required client.pkce.verifier',
      'the parameters of PKCE': `!${LEFT_OPEN}; RFC 7636 decides (pkce.verifier)`,
      'client_secret is kept server-side': 'client.secret.kept',
      'token lifetime and refresh': `!${LEFT_OPEN}`,
      'endpoints 6 to 9 need no token': 'public.video public.config public.nodeinfo',
    },
  ],
  ['6', { events: `!${LEFT_OPEN}` }],
  ['7', { 'errors: statuses, bodies and codes': `!${LEFT_OPEN}; for OAuth, RFC 6749 decides (token.error.body)` }],
  [
    '8',
    {
      'maximum upload size in megabytes': 'limits.max_video_size limits.max_video_size.megabytes',
      'maximum video length in seconds': 'limits.max_video_duration',
      'accepted upload formats as names': 'limits.allowed_video_formats',
      'maximum bio length in characters': 'limits.max_bio_length account.bio.length',
      'the values differ by instance and are read from endpoint 7':
        '!a client shows no use of the values in its requests',
      'rate limits': `!${LEFT_OPEN}`,
    },
  ],
  [
    '9',
    {
      'resource endpoints are under /api/v1/': 'endpoint.config endpoint.video endpoint.account endpoint.apps',
      'app.version and software.version are the running version': 'version.same',
      'the schema version of NodeInfo is 2.0': 'nodeinfo.version.2.0',
      'clients select the schema version through rel': 'client.identify.schema-2.0',
      'deprecation policy and version negotiation': `!${LEFT_OPEN}`,
    },
  ],
];

/** Every sentence and table row of sections 2 to 9, by section; in section 2, the fields come first. */
export const STATEMENTS: readonly Statement[] = [
  ...fields,
  ...others.flatMap(([section, rows]) =>
    Object.entries(rows).map(([statement, text]) => {
      const untestable = text.startsWith('!') ? text.slice(1) : null;
      return { section, statement, clauses: untestable === null ? text.split(' ') : [], untestable };
    }),
  ),
].toSorted((one, other) => one.section.localeCompare(other.section, 'en', { numeric: true }));
