import { clausesOf, type Section, type ServerClause } from './clause.ts';

/** The rules of section 2 that go beyond the type of a field. */
const sections: Section<ServerClause>[] = [
  {
    section: '2.1',
    rows: [
      {
        id: 'app.name.given',
        level: 'must',
        probes: ['apps'],
        sentence: 'The record has the display name that the app gave.',
      },
      {
        id: 'app.website.given',
        level: 'must',
        probes: ['apps'],
        sentence: 'The record has the homepage URL that the app gave.',
      },
      {
        id: 'app.redirect_uri.given',
        level: 'must',
        probes: ['apps'],
        sentence: 'The record has the redirect URI that the app gave.',
      },
      {
        id: 'app.credentials.non-empty',
        level: 'must',
        probes: ['apps'],
        sentence:
          'The id, the client id and the client secret of an app are not empty, and the secret is not the client id.',
      },
    ],
  },
  {
    section: '2.2',
    rows: [
      {
        id: 'token.token_type.bearer',
        level: 'must',
        probes: ['app-token', 'token'],
        sentence: 'The type of a token is `Bearer`.',
      },
      {
        id: 'token.scope.format',
        level: 'must',
        probes: ['app-token', 'token'],
        sentence: 'The `scope` of a token is one or more scopes, separated by single spaces.',
      },
      {
        id: 'token.created_at.seconds',
        level: 'must',
        probes: ['app-token', 'token'],
        sentence: 'The creation time of a token is the Unix time in seconds.',
      },
      {
        id: 'token.created_at.clock',
        level: 'must',
        probes: ['app-token', 'token'],
        sentence: 'The creation time of a token differs by less than a minute from the `Date` of its answer.',
      },
      {
        id: 'token.access_token.characters',
        rfc: 'RFC 6750 2.1',
        level: 'must',
        probes: ['app-token', 'token'],
        sentence: 'An access token has only characters that an Authorization header allows.',
      },
    ],
  },
  {
    section: '2.3',
    rows: [
      {
        id: 'account.wrapped',
        level: 'must',
        probes: ['account'],
        sentence: 'The account is wrapped in an object whose only key is `data`.',
      },
      {
        id: 'account.is_owner.self',
        level: 'must',
        probes: ['account'],
        sentence: '`is_owner` is true in the account of the token.',
      },
      {
        id: 'account.local.self',
        level: 'must',
        probes: ['account'],
        sentence: 'The account of the token is on the server: `local` is true.',
      },
      {
        id: 'account.remote_url.local',
        level: 'must',
        probes: ['account'],
        sentence: 'A local account has no remote URL: `remote_url` is null.',
      },
      {
        id: 'account.is_blocking.self',
        level: 'must',
        probes: ['account'],
        sentence: '`is_blocking` is null in the account of the token.',
      },
      {
        id: 'account.created_at.iso-8601',
        level: 'must',
        probes: ['account'],
        sentence: 'The creation time of an account is an ISO 8601 time with an offset.',
      },
      {
        id: 'account.avatar.url',
        level: 'must',
        probes: ['account'],
        sentence: 'The avatar of an account is an http or https URL.',
      },
      {
        id: 'account.url.on-server',
        level: 'must',
        probes: ['account'],
        sentence: 'The profile URL of a local account is on the server.',
      },
      {
        id: 'account.bio.length',
        level: 'should',
        probes: ['account', 'config'],
        sentence: 'The profile text is not longer than `account.max_bio_length` characters.',
      },
      { id: 'account.counts', level: 'must', probes: ['account'], sentence: 'No count of an account is negative.' },
    ],
  },
  {
    section: '2.4',
    rows: [
      {
        id: 'video.bare',
        level: 'must',
        probes: ['video'],
        sentence: 'The video is not wrapped in `data`.',
        live: { difference: 'Live servers wrap the video in `data`.', inLive: 'expected' },
      },
      {
        id: 'video.id.decimal',
        level: 'must',
        probes: ['video'],
        sentence: 'The id of a video is a string of decimal digits.',
      },
      {
        id: 'video.url.web',
        level: 'must',
        probes: ['video'],
        sentence:
          'The URLs of a video, its thumbnail, its file, its playlist and the avatar of its account are http or https URLs.',
      },
      {
        id: 'video.shortcode.in-url',
        level: 'must',
        probes: ['video'],
        sentence: 'The short code of a video is the last part of its URL.',
      },
      {
        id: 'video.guest',
        level: 'must',
        probes: ['video'],
        sentence: 'For a request without a token, `is_owner`, `has_liked` and `has_bookmarked` are false.',
      },
      {
        id: 'video.is_owner.token',
        level: 'must',
        probes: ['account', 'video-with-token'],
        sentence:
          'For a request with a token, `is_owner` tells whether the author of the video is the user of the token.',
      },
      {
        id: 'video.created_at.iso-8601',
        level: 'must',
        probes: ['video'],
        sentence: 'The creation time of a video is an ISO 8601 time with an offset.',
      },
      {
        id: 'video.numbers',
        level: 'must',
        probes: ['video'],
        sentence: 'No count, duration or dimension of a video is negative.',
      },
    ],
  },
  {
    section: '2.5',
    rows: [
      {
        id: 'config.app.url.base',
        level: 'must',
        probes: ['config'],
        sentence: '`app.url` is the base URL of the server.',
      },
      {
        id: 'config.app.software.loops',
        level: 'must',
        probes: ['config'],
        sentence: '`app.software` is exactly `loops`.',
      },
      {
        id: 'config.app.version.non-empty',
        level: 'must',
        probes: ['config'],
        sentence: '`app.version` is not empty.',
      },
      {
        id: 'config.registration_mode.non-empty',
        level: 'should',
        probes: ['config'],
        sentence: '`registration_mode` is not empty.',
      },
    ],
  },
  {
    section: '2.6',
    rows: [
      {
        id: 'discovery.schema-2.0',
        level: 'must',
        probes: ['discovery'],
        sentence: 'The discovery document has a link whose `rel` ends with `/schema/2.0`.',
      },
      {
        id: 'discovery.href.url',
        level: 'must',
        probes: ['discovery'],
        sentence: 'The `href` of the 2.0 link is an absolute http or https URL.',
      },
    ],
  },
  {
    section: '2.7',
    rows: [
      {
        id: 'nodeinfo.version.2.0',
        level: 'must',
        probes: ['nodeinfo'],
        sentence: 'The schema version of the NodeInfo document is `2.0`.',
      },
      {
        id: 'nodeinfo.software.name.loops',
        level: 'must',
        probes: ['nodeinfo'],
        sentence: '`software.name` is exactly `loops`.',
      },
      {
        id: 'nodeinfo.protocols.activitypub',
        level: 'must',
        probes: ['nodeinfo'],
        sentence: '`protocols` includes `activitypub`.',
      },
      {
        id: 'nodeinfo.usage.counts',
        level: 'must',
        probes: ['nodeinfo'],
        sentence: 'The numbers of users and posts are not negative.',
      },
      {
        id: 'nodeinfo.openRegistrations.same',
        level: 'should',
        probes: ['nodeinfo', 'config'],
        sentence: 'NodeInfo and configuration agree on whether registration is open.',
      },
    ],
  },
];

export const RESOURCE_RULES = clausesOf('server', sections);
