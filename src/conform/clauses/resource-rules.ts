import { clausesOf, type Sections, type ServerClause } from './clause.ts';

/** The rules of section 2 that go beyond the type of a field. */
const sections: Sections<ServerClause> = {
  '2.1': {
    'app.name.given': { probes: ['apps'], sentence: 'The record has the display name that the app gave.' },
    'app.website.given': { probes: ['apps'], sentence: 'The record has the homepage URL that the app gave.' },
    'app.redirect_uri.given': { probes: ['apps'], sentence: 'The record has the redirect URI that the app gave.' },
    'app.credentials.non-empty': {
      probes: ['apps'],
      sentence:
        'The id, the client id and the client secret of an app are not empty, and the secret is not the client id.',
    },
  },
  '2.2': {
    'token.token_type.bearer': { probes: ['app-token', 'token'], sentence: 'The type of a token is `Bearer`.' },
    'token.scope.format': {
      probes: ['app-token', 'token'],
      sentence: 'The `scope` of a token is one or more scopes, separated by single spaces.',
    },
    'token.created_at.seconds': {
      probes: ['app-token', 'token'],
      sentence: 'The creation time of a token is the Unix time in seconds.',
    },
    'token.created_at.clock': {
      probes: ['app-token', 'token'],
      sentence: 'The creation time of a token differs by less than a minute from the `Date` of its answer.',
    },
    'token.access_token.characters': {
      rfc: 'RFC 6750 2.1',
      probes: ['app-token', 'token'],
      sentence: 'An access token has only characters that an Authorization header allows.',
    },
  },
  '2.3': {
    'account.wrapped': {
      probes: ['account'],
      sentence: 'The account is wrapped in an object whose only key is `data`.',
    },
    'account.is_owner.self': { probes: ['account'], sentence: '`is_owner` is true in the account of the token.' },
    'account.local.self': {
      probes: ['account'],
      sentence: 'The account of the token is on the server: `local` is true.',
    },
    'account.remote_url.local': {
      probes: ['account'],
      sentence: 'A local account has no remote URL: `remote_url` is null.',
    },
    'account.is_blocking.self': { probes: ['account'], sentence: '`is_blocking` is null in the account of the token.' },
    'account.created_at.iso-8601': {
      probes: ['account'],
      sentence: 'The creation time of an account is an ISO 8601 time with an offset.',
    },
    'account.avatar.url': { probes: ['account'], sentence: 'The avatar of an account is an http or https URL.' },
    'account.url.on-server': { probes: ['account'], sentence: 'The profile URL of a local account is on the server.' },
    'account.bio.length': {
      level: 'should',
      probes: ['account', 'config'],
      sentence: 'The profile text is not longer than `account.max_bio_length` characters.',
    },
    'account.counts': { probes: ['account'], sentence: 'No count of an account is negative.' },
  },
  '2.4': {
    'video.bare': {
      probes: ['video'],
      sentence: 'The video is not wrapped in `data`.',
      live: { difference: 'Live servers wrap the video in `data`.', inLive: 'expected' },
    },
    'video.id.decimal': { probes: ['video'], sentence: 'The id of a video is a string of decimal digits.' },
    'video.url.web': {
      probes: ['video'],
      sentence:
        'The URLs of a video, its thumbnail, its file, its playlist and the avatar of its account are http or https URLs.',
    },
    'video.shortcode.in-url': { probes: ['video'], sentence: 'The short code of a video is the last part of its URL.' },
    'video.guest': {
      probes: ['video'],
      sentence: 'For a request without a token, `is_owner`, `has_liked` and `has_bookmarked` are false.',
    },
    'video.is_owner.token': {
      probes: ['account', 'video-with-token'],
      sentence:
        'For a request with a token, `is_owner` tells whether the author of the video is the user of the token.',
    },
    'video.created_at.iso-8601': {
      probes: ['video'],
      sentence: 'The creation time of a video is an ISO 8601 time with an offset.',
    },
    'video.numbers': { probes: ['video'], sentence: 'No count, duration or dimension of a video is negative.' },
  },
  '2.5': {
    'config.app.url.base': { probes: ['config'], sentence: '`app.url` is the base URL of the server.' },
    'config.app.software.loops': { probes: ['config'], sentence: '`app.software` is exactly `loops`.' },
    'config.app.version.non-empty': { probes: ['config'], sentence: '`app.version` is not empty.' },
    'config.registration_mode.non-empty': {
      level: 'should',
      probes: ['config'],
      sentence: '`registration_mode` is not empty.',
    },
  },
  '2.6': {
    'discovery.schema-2.0': {
      probes: ['discovery'],
      sentence: 'The discovery document has a link whose `rel` ends with `/schema/2.0`.',
    },
    'discovery.href.url': {
      probes: ['discovery'],
      sentence: 'The `href` of the 2.0 link is an absolute http or https URL.',
    },
  },
  '2.7': {
    'nodeinfo.version.2.0': { probes: ['nodeinfo'], sentence: 'The schema version of the NodeInfo document is `2.0`.' },
    'nodeinfo.software.name.loops': { probes: ['nodeinfo'], sentence: '`software.name` is exactly `loops`.' },
    'nodeinfo.protocols.activitypub': { probes: ['nodeinfo'], sentence: '`protocols` includes `activitypub`.' },
    'nodeinfo.usage.counts': { probes: ['nodeinfo'], sentence: 'The numbers of users and posts are not negative.' },
    'nodeinfo.openRegistrations.same': {
      level: 'should',
      probes: ['nodeinfo', 'config'],
      sentence: 'NodeInfo and configuration agree on whether registration is open.',
    },
  },
};

export const RESOURCE_RULES = clausesOf<ServerClause>('server', sections);
