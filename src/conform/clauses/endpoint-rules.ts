import { clausesOf, type Section, type ServerClause } from './clause.ts';

const federationOff = { difference: 'Live servers answer 404 while federation is off.', inLive: 'warning' } as const;

/** The rules of section 4 about each endpoint, of section 5 about what needs a token, and of sections 8 and 9. */
const sections: Section<ServerClause>[] = [
  {
    section: '4',
    rows: [
      {
        id: 'endpoint.config',
        level: 'must',
        probes: ['config'],
        sentence: '`GET /api/v1/config` answers 200 with a JSON object.',
      },
      {
        id: 'endpoint.config.content-type',
        level: 'must',
        probes: ['config'],
        sentence: 'The configuration has a JSON content type.',
      },
      {
        id: 'endpoint.discovery',
        level: 'must',
        probes: ['discovery'],
        live: federationOff,
        sentence: '`GET /.well-known/nodeinfo` answers 200 with a JSON object.',
      },
      {
        id: 'endpoint.discovery.content-type',
        level: 'must',
        probes: ['discovery'],
        sentence: 'The NodeInfo discovery document has a JSON content type.',
      },
      {
        id: 'endpoint.nodeinfo',
        level: 'must',
        probes: ['nodeinfo'],
        live: federationOff,
        sentence: 'The `href` of the 2.0 link answers 200 with a JSON object.',
      },
      {
        id: 'endpoint.nodeinfo.content-type',
        level: 'must',
        probes: ['nodeinfo'],
        sentence: 'The NodeInfo document has a JSON content type.',
      },
      {
        id: 'endpoint.video',
        level: 'must',
        probes: ['video'],
        sentence: '`GET /api/v1/video/{video_id}` answers 200 with a JSON object.',
      },
      {
        id: 'endpoint.video.content-type',
        level: 'must',
        probes: ['video'],
        sentence: 'The video has a JSON content type.',
      },
      {
        id: 'endpoint.video.requested',
        level: 'must',
        probes: ['video'],
        sentence: 'The id of the video is the id in the path.',
      },
      {
        id: 'endpoint.video.unknown',
        level: 'must',
        probes: ['video-unknown'],
        sentence: 'A video that does not exist is not answered with a video.',
      },
      {
        id: 'endpoint.video.unknown.status',
        rfc: 'RFC 9110 15.5.5',
        level: 'should',
        probes: ['video-unknown'],
        sentence: 'A video that does not exist is answered with 404.',
      },
      {
        id: 'endpoint.video.unknown.json',
        level: 'should',
        probes: ['video-unknown'],
        sentence: 'The answer for a video that does not exist is JSON.',
      },
      {
        id: 'endpoint.account',
        level: 'must',
        probes: ['account'],
        sentence:
          '`GET /api/v1/account/info/self` answers 200 and a JSON object to a token with the scope `read` in `Authorization: Bearer`.',
      },
      {
        id: 'endpoint.account.content-type',
        level: 'must',
        probes: ['account'],
        sentence: 'The account has a JSON content type.',
      },
      {
        id: 'endpoint.apps',
        live: {
          difference: 'Live servers take `redirect_uris` only as a list, which is sent in the profile `live`.',
          inLive: 'expected',
        },
        level: 'must',
        probes: ['apps'],
        sentence:
          '`POST /api/v1/apps` registers an app from a JSON body without `scopes`, with one redirect URI as a string, and answers 200 or 201 with a JSON object.',
      },
      {
        id: 'endpoint.apps.content-type',
        level: 'must',
        probes: ['apps'],
        sentence: 'The app registration record has a JSON content type.',
      },
      {
        id: 'endpoint.token.content-type',
        level: 'must',
        probes: ['token', 'app-token'],
        sentence: 'The token record has a JSON content type.',
      },
      {
        id: 'endpoint.authorize',
        level: 'must',
        probes: ['authorize'],
        sentence: '`GET /oauth/authorize` leads a user who approves back to the redirect URI, with one `code`.',
      },
      {
        id: 'endpoint.revoke',
        level: 'must',
        probes: ['revoke-empty'],
        live: { difference: 'Live servers have no such endpoint.', inLive: 'not shown' },
        sentence:
          '`POST /oauth/revoke` exists: it is not answered with 404, 405, a redirect, or a page with a status of success.',
      },
    ],
  },
  {
    section: '5',
    rows: [
      { id: 'public.config', level: 'must', probes: ['config'], sentence: 'The configuration needs no token.' },
      {
        id: 'public.nodeinfo',
        level: 'must',
        probes: ['discovery', 'nodeinfo'],
        sentence: 'The discovery document and the NodeInfo document need no token.',
      },
      { id: 'public.video', level: 'must', probes: ['video'], sentence: 'A video needs no token.' },
      {
        id: 'account.needs-token',
        level: 'must',
        probes: ['account-without-token'],
        sentence: 'A request without a token does not get the account.',
      },
      {
        id: 'account.needs-token.status',
        rfc: 'RFC 9110 15.5.2',
        level: 'should',
        probes: ['account-without-token'],
        sentence: 'A request for the account without a token is answered with 401.',
      },
      {
        id: 'account.needs-valid-token',
        level: 'must',
        probes: ['account-unknown-token'],
        sentence: 'A token that the server did not issue gives no account.',
      },
      {
        id: 'account.needs-valid-token.status',
        rfc: 'RFC 6750 3.1',
        level: 'should',
        probes: ['account-unknown-token'],
        sentence: 'A token that the server did not issue is answered with 401.',
      },
    ],
  },
  {
    section: '8',
    rows: [
      {
        id: 'limits.max_video_size',
        level: 'must',
        probes: ['config'],
        sentence: 'The maximum upload size is a number of megabytes, not a negative one.',
      },
      {
        id: 'limits.max_video_size.megabytes',
        level: 'should',
        probes: ['config'],
        sentence: 'The maximum upload size is below 100,000: a larger number is probably in bytes, not in megabytes.',
      },
      {
        id: 'limits.max_video_duration',
        level: 'must',
        probes: ['config'],
        sentence: 'The maximum video length is a number of seconds, not a negative one.',
      },
      {
        id: 'limits.allowed_video_formats',
        level: 'must',
        probes: ['config'],
        sentence: 'The list of upload formats has at least one name, and no empty name.',
      },
      {
        id: 'limits.max_bio_length',
        level: 'must',
        probes: ['config'],
        sentence: 'The maximum length of a profile text is not negative.',
      },
    ],
  },
  {
    section: '9',
    rows: [
      {
        id: 'version.same',
        level: 'must',
        probes: ['config', 'nodeinfo'],
        sentence: 'Configuration and NodeInfo name the same running version.',
      },
    ],
  },
];

export const ENDPOINT_RULES = clausesOf('server', sections);
