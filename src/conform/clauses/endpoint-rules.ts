import { clausesOf, type Sections, type ServerClause } from './clause.ts';

const federationOff = { difference: 'Live servers answer 404 while federation is off.', inLive: 'warning' } as const;

/** The rules of section 4 about each endpoint, of section 5 about what needs a token, and of sections 8 and 9. */
const sections: Sections<ServerClause> = {
  '4': {
    'endpoint.config': { probes: ['config'], sentence: '`GET /api/v1/config` answers 200 with a JSON object.' },
    'endpoint.config.content-type': { probes: ['config'], sentence: 'The configuration has a JSON content type.' },
    'endpoint.discovery': {
      probes: ['discovery'],
      live: federationOff,
      sentence: '`GET /.well-known/nodeinfo` answers 200 with a JSON object.',
    },
    'endpoint.discovery.content-type': {
      probes: ['discovery'],
      sentence: 'The NodeInfo discovery document has a JSON content type.',
    },
    'endpoint.nodeinfo': {
      probes: ['nodeinfo'],
      live: federationOff,
      sentence: 'The `href` of the 2.0 link answers 200 with a JSON object.',
    },
    'endpoint.nodeinfo.content-type': {
      probes: ['nodeinfo'],
      sentence: 'The NodeInfo document has a JSON content type.',
    },
    'endpoint.video': { probes: ['video'], sentence: '`GET /api/v1/video/{video_id}` answers 200 with a JSON object.' },
    'endpoint.video.content-type': { probes: ['video'], sentence: 'The video has a JSON content type.' },
    'endpoint.video.requested': { probes: ['video'], sentence: 'The id of the video is the id in the path.' },
    'endpoint.video.unknown': {
      probes: ['video-unknown'],
      sentence: 'A video that does not exist is not answered with a video.',
    },
    'endpoint.video.unknown.status': {
      rfc: 'RFC 9110 15.5.5',
      level: 'should',
      probes: ['video-unknown'],
      sentence: 'A video that does not exist is answered with 404.',
    },
    'endpoint.video.unknown.json': {
      level: 'should',
      probes: ['video-unknown'],
      sentence: 'The answer for a video that does not exist is JSON.',
    },
    'endpoint.account': {
      probes: ['account'],
      sentence:
        '`GET /api/v1/account/info/self` answers 200 and a JSON object to a token with the scope `read` in `Authorization: Bearer`.',
    },
    'endpoint.account.content-type': { probes: ['account'], sentence: 'The account has a JSON content type.' },
    'endpoint.apps': {
      live: {
        difference: 'Live servers take `redirect_uris` only as a list, which is sent in the profile `live`.',
        inLive: 'expected',
      },
      probes: ['apps'],
      sentence:
        '`POST /api/v1/apps` registers an app from a JSON body without `scopes`, with one redirect URI as a string, and answers 200 or 201 with a JSON object.',
    },
    'endpoint.apps.content-type': {
      probes: ['apps'],
      sentence: 'The app registration record has a JSON content type.',
    },
    'endpoint.token.content-type': {
      probes: ['token', 'app-token'],
      sentence: 'The token record has a JSON content type.',
    },
    'endpoint.authorize': {
      probes: ['authorize'],
      sentence: '`GET /oauth/authorize` leads a user who approves back to the redirect URI, with one `code`.',
    },
    'endpoint.revoke': {
      probes: ['revoke-empty'],
      live: { difference: 'Live servers have no such endpoint.', inLive: 'not shown' },
      sentence:
        '`POST /oauth/revoke` exists: it is not answered with 404, 405, a redirect, or a page with a status of success.',
    },
  },
  '5': {
    'public.config': { probes: ['config'], sentence: 'The configuration needs no token.' },
    'public.nodeinfo': {
      probes: ['discovery', 'nodeinfo'],
      sentence: 'The discovery document and the NodeInfo document need no token.',
    },
    'public.video': { probes: ['video'], sentence: 'A video needs no token.' },
    'account.needs-token': {
      probes: ['account-without-token'],
      sentence: 'A request without a token does not get the account.',
    },
    'account.needs-token.status': {
      rfc: 'RFC 9110 15.5.2',
      level: 'should',
      probes: ['account-without-token'],
      sentence: 'A request for the account without a token is answered with 401.',
    },
    'account.needs-valid-token': {
      probes: ['account-unknown-token'],
      sentence: 'A token that the server did not issue gives no account.',
    },
    'account.needs-valid-token.status': {
      rfc: 'RFC 6750 3.1',
      level: 'should',
      probes: ['account-unknown-token'],
      sentence: 'A token that the server did not issue is answered with 401.',
    },
  },
  '8': {
    'limits.max_video_size': {
      probes: ['config'],
      sentence: 'The maximum upload size is a number of megabytes, not a negative one.',
    },
    'limits.max_video_size.megabytes': {
      level: 'should',
      probes: ['config'],
      sentence: 'The maximum upload size is below 100,000: a larger number is probably in bytes, not in megabytes.',
    },
    'limits.max_video_duration': {
      probes: ['config'],
      sentence: 'The maximum video length is a number of seconds, not a negative one.',
    },
    'limits.allowed_video_formats': {
      probes: ['config'],
      sentence: 'The list of upload formats has at least one name, and no empty name.',
    },
    'limits.max_bio_length': { probes: ['config'], sentence: 'The maximum length of a profile text is not negative.' },
  },
  '9': {
    'version.same': {
      probes: ['config', 'nodeinfo'],
      sentence: 'Configuration and NodeInfo name the same running version.',
    },
  },
};

export const ENDPOINT_RULES = clausesOf<ServerClause>('server', sections);
