import { describe, expect, it } from 'vitest';
import {
  federationActor,
  federationActorDocument,
  federationInbox,
  federationRules,
  federationWebfinger,
  federationWebfingerUnknown,
} from '../../../src/check/rules/federation.ts';
import { itFindsAndCures } from '../broken-and-cured.ts';
import { evidenceOf, exchangeOf, healthyAnswer, liveApp, liveConfig, noAnswers } from '../evidence-of.ts';
import type { HostBehaviour } from '../operator-host.ts';

/** An `answer` of a host that replies the same to all requests for this path. */
const fixedAnswer =
  (path: RegExp, status: number, type: string, body: string): HostBehaviour['answer'] =>
  (request, response) => {
    if (!path.test(request.url ?? '')) return false;
    response.writeHead(status, { 'content-type': type }).end(body);
    return true;
  };
const webApp = '<!doctype html><html><body><div id="app"></div></body></html>';
const inboxPath = /^\/ap\/inbox/;
const webfingerPath = /^\/\.well-known\/webfinger/;
const unknownAccount = /^\/\.well-known\/webfinger\?resource=acct%3A(?!loops\.example%40)/;

describe('the rules of federation report each defect, and pass after its cure is applied', () => {
  itFindsAndCures(federationRules, [
    {
      title: 'reports a web app served instead of the WebFinger descriptor, once',
      id: 'federation-webfinger',
      severity: 'fail',
      detail: /200 OK as HTML: the web app was sent instead/,
      cure: /location \^~ \/\.well-known\//,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(webfingerPath, 200, 'text/html', webApp) }),
    },
    {
      title: 'reports a web server that blocks paths with a dot',
      id: 'federation-webfinger',
      severity: 'fail',
      detail: /403 Forbidden as HTML/,
      cure: /hidden files/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(webfingerPath, 403, 'text/html', '<html>') }),
    },
    {
      title: 'reports a server that uses another name',
      id: 'federation-webfinger',
      severity: 'warn',
      detail: /404 Not Found as application\/json for the server's own actor, acct:loops\.example@loops\.example/,
      cure: /APP_URL=https:\/\/loops\.example/,
      alsoReportedBy: ['federation-actor-document'],
      break: ({ server }) => {
        server.state.url = 'https://localhost';
      },
      repair: ({ server }) => {
        server.state.url = 'https://loops.example';
      },
    },
    {
      title: 'reports a server whose WebFinger finds an account for every name',
      id: 'federation-webfinger-unknown',
      severity: 'warn',
      detail: /every name looks like an account/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, {
          answer: fixedAnswer(unknownAccount, 200, 'application/jrd+json', '{"subject":"acct:a@loops.example"}'),
        }),
    },
    {
      title: 'reports a link to the actor by http, once',
      id: 'federation-webfinger',
      severity: 'fail',
      detail: /self link of WebFinger is http:/,
      cure: /sub_filter/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, {
          answer: fixedAnswer(
            /acct%3Aloops\.example%40/,
            200,
            'application/jrd+json',
            '{"subject":"acct:loops.example@loops.example","links":[{"rel":"self","type":"application/activity+json","href":"http://loops.example/ap/actor"}]}',
          ),
        }),
    },
    {
      title: 'reports an error page in place of the refusal of an unknown account, and not a rule for hidden files',
      id: 'federation-webfinger-unknown',
      severity: 'warn',
      detail: /200 OK as HTML/,
      cure: /^(?!.*hidden files).*intercept_errors off/s,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(unknownAccount, 200, 'text/html', webApp) }),
    },
    {
      title: 'notes an actor that requires a signed request',
      id: 'federation-actor',
      severity: 'info',
      detail: /401 Unauthorized.*authorised fetch is on/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(/^\/ap\/actor/, 401, 'application/json', '{}') }),
    },
    {
      title: 'reports a web server that blocks the actor',
      id: 'federation-actor',
      severity: 'fail',
      detail: /403 Forbidden as HTML.*cannot fetch the key/,
      cure: /location \^~ \/ap\//,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(/^\/ap\/actor/, 403, 'text/html', '<html>') }),
    },
    {
      title: 'reports a wrong content type of the actor',
      id: 'federation-actor',
      severity: 'fail',
      detail: /content type of the actor is application\/json; it must be application\/activity\+json/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/ap/actor', fault: 'content-type', value: 'application/json' }];
      },
    },
    {
      title: 'reports the URLs of an actor that are on another host',
      id: 'federation-actor-document',
      severity: 'fail',
      detail: /`id` is "https:\/\/localhost\/ap\/actor"; it must be an https URL on loops\.example.*`inbox`/,
      cure: /proxy_set_header Host \$host;/,
      alsoReportedBy: ['federation-webfinger'],
      break: ({ server }) => {
        server.state.url = 'https://localhost';
      },
      repair: ({ server }) => {
        server.state.url = 'https://loops.example';
      },
    },
    {
      title: 'reports a server error of the shared inbox',
      id: 'federation-inbox',
      severity: 'fail',
      detail: /POST \/ap\/inbox without a signature gives 500 .*deliveries of other servers fail/,
      cure: /php artisan migrate --force/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, {
          answer: fixedAnswer(inboxPath, 500, 'application/json', '{"message":"Server Error"}'),
        }),
    },
    {
      title: 'reports PHP that does not answer deliveries',
      id: 'federation-inbox',
      severity: 'fail',
      detail: /502 Bad Gateway/,
      cure: /systemctl .*php\*-fpm/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(inboxPath, 502, 'text/html', '<html>') }),
    },
    {
      title: 'reports a shared inbox that breaks the connection',
      id: 'federation-inbox',
      severity: 'fail',
      detail: /no answer/,
      cure: /PHP runs out of memory/,
      break: ({ server }) => {
        server.state.faults = [{ route: '/ap/inbox', fault: 'reset' }];
      },
    },
    {
      title: 'reports a web app served instead of the shared inbox',
      id: 'federation-inbox',
      severity: 'fail',
      detail: /the web app was sent/,
      cure: /location \^~ \/ap\//,
      break: ({ behaviour }) => Object.assign(behaviour, { answer: fixedAnswer(inboxPath, 200, 'text/html', webApp) }),
    },
    {
      title: 'reports a missing shared inbox while federation is on',
      id: 'federation-inbox',
      severity: 'warn',
      detail: /404 Not Found .*although federation is on/,
      cure: /location \^~ \/ap\//,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(inboxPath, 404, 'text/html', '<html>') }),
    },
    {
      title: 'reports a web server that serves only files',
      id: 'federation-inbox',
      severity: 'warn',
      detail: /405 Method Not Allowed/,
      cure: /location \^~ \/ap\//,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(inboxPath, 405, 'text/html', '<html>') }),
    },
    {
      title: 'reports a shared inbox that accepts unsigned deliveries',
      id: 'federation-inbox',
      severity: 'warn',
      detail: /202 Accepted .*must be refused/,
      cure: /its code was changed/,
      break: ({ behaviour }) =>
        Object.assign(behaviour, { answer: fixedAnswer(inboxPath, 202, 'application/json', '{}') }),
    },
    {
      title: 'reports a redirect of the shared inbox',
      id: 'federation-inbox',
      severity: 'warn',
      detail: /301 Moved Permanently/,
      cure: /return 30/,
      break: ({ behaviour }) => {
        behaviour.answer = (request, response) => {
          if (!inboxPath.test(request.url ?? '')) return false;
          response.writeHead(301, { location: '/ap/inbox/' }).end();
          return true;
        };
      },
    },
  ]);
});

describe('every rule of federation', () => {
  it('reports nothing on other software, without answers and, except federation-inbox, while federation is off', () => {
    const off = evidenceOf({
      answers: { config: healthyAnswer('config', { json: liveConfig({ federation: false }) }) },
    });
    const other = evidenceOf({ visit: { ...evidenceOf().visit, verdict: 'other', software: 'mastodon' } });
    const withoutInboxRule = federationRules.filter((rule) => rule !== federationInbox);
    for (const evidence of [off, other, evidenceOf({ answers: noAnswers() })])
      expect(withoutInboxRule.map((rule) => rule.judge(evidence))).toEqual(withoutInboxRule.map(() => null));
    expect(federationInbox.judge(other)).toBeNull();
    expect(federationInbox.judge(evidenceOf({ answers: noAnswers() }))).toBeNull();
  });

  it('uses NodeInfo when config does not mention federation', () => {
    const config = healthyAnswer('config', { json: liveConfig({ federation: undefined }) });
    const judged = federationRules.map((rule) => rule.judge(evidenceOf({ answers: { config } }))?.severity);
    expect(judged).toEqual(['pass', 'pass', 'pass', 'pass', 'pass']);
  });
});

describe('federation-inbox', () => {
  const severityOf = (status: number, federation = true) =>
    federationInbox.judge(
      evidenceOf({
        answers: {
          config: healthyAnswer('config', { json: liveConfig({ federation }) }),
          inbox: healthyAnswer('inbox', { status, json: { message: 'Refused.' } }),
        },
      }),
    )?.severity;

  it('passes a 4xx, but 404 and 405 only while federation is off', () => {
    for (const status of [400, 401, 403, 413, 415, 422]) expect([status, severityOf(status)]).toEqual([status, 'pass']);
    expect([severityOf(404), severityOf(405)]).toEqual(['warn', 'warn']);
    expect([severityOf(404, false), severityOf(405, false)]).toEqual(['pass', 'pass']);
  });

  it('fails for every 5xx, with federation on or off', () => {
    for (const status of [500, 502, 503, 504, 521])
      expect([status, severityOf(status), severityOf(status, false)]).toEqual([status, 'fail', 'fail']);
  });

  it('reports nothing for a rate limit, a challenge page and a server that is down, which other rules report', () => {
    const challenge = exchangeOf({
      status: 403,
      headers: { 'cf-mitigated': 'challenge', 'content-type': 'text/html' },
      body: '<html><head><title>Just a moment...</title></head></html>',
    });
    const down = exchangeOf({ status: 502 });
    expect(severityOf(429)).toBeUndefined();
    expect(federationInbox.judge(evidenceOf({ answers: { inbox: challenge } }))).toBeNull();
    const answers = { home: down, config: down, discovery: down, inbox: down };
    expect(federationInbox.judge(evidenceOf({ visit: evidenceOf().visit, answers }))).toBeNull();
  });
});

describe('federation-webfinger', () => {
  const judgeDescriptor = (json: object, type = 'application/jrd+json') =>
    federationWebfinger.judge(
      evidenceOf({ answers: { webfinger: healthyAnswer('webfinger', { json, headers: { 'content-type': type } }) } }),
    );
  const self = { rel: 'self', type: 'application/activity+json', href: 'https://loops.example/ap/actor' };
  const subject = 'acct:loops.example@loops.example';

  it.each([
    ['no links', { subject }, 'fail'],
    ['a link of another type', { subject, links: [{ ...self, type: 'text/html' }] }, 'fail'],
    ['a link whose href is not a string', { subject, links: [null, { ...self, href: 1 }] }, 'fail'],
    ['a link to another host', { subject, links: [{ ...self, href: 'https://other.example/ap/actor' }] }, 'fail'],
    ['a link without TLS', { subject, links: [{ ...self, href: 'http://loops.example/ap/actor' }] }, 'fail'],
    ['another subject', { subject: 'acct:a@b.example', links: [self] }, 'warn'],
    [
      'a link with the type of JSON-LD',
      { subject, links: [{ ...self, type: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"' }] },
      'pass',
    ],
  ])('judges a descriptor with %s', (_title, json, severity) => {
    expect(judgeDescriptor(json)).toMatchObject({ severity });
  });

  it('notes application/json, and warns of a type that is not JSON', () => {
    expect(judgeDescriptor({ subject, links: [self] }, 'application/json')).toMatchObject({ severity: 'info' });
    expect(judgeDescriptor({ subject, links: [self] }, 'text/plain')).toMatchObject({ severity: 'warn' });
  });
});

it.each([
  ['https://loops.example', 'warn'],
  ['http://loops.example', 'warn'],
  ['https://old.example', undefined],
  ['https://localhost', undefined],
])('a 404 of WebFinger is left to config-url only if app.url names another host: %s', (url, severity) => {
  const config = healthyAnswer('config', { json: liveConfig({ app: liveApp({ url }) }) });
  const webfinger = healthyAnswer('webfinger', { status: 404, body: '{}' });
  expect(federationWebfinger.judge(evidenceOf({ answers: { config, webfinger } }))?.severity).toBe(severity);
});

describe('federation-webfinger-unknown', () => {
  it('passes 400 and 410, notes an HTML error, and reports nothing when WebFinger does not work at all', () => {
    const judgeAnswer = (status: number, body = '{}') =>
      federationWebfingerUnknown.judge(
        evidenceOf({ answers: { 'webfinger-unknown': healthyAnswer('webfinger-unknown', { status, body }) } }),
      );
    const moved = healthyAnswer('webfinger', { status: 302, headers: { location: 'https://other.example/' } });
    expect(federationWebfingerUnknown.judge(evidenceOf({ answers: { webfinger: moved } }))).toBeNull();
    expect([judgeAnswer(400), judgeAnswer(410), judgeAnswer(404, '<html>')].map((each) => each?.severity)).toEqual([
      'pass',
      'pass',
      'info',
    ]);
  });
});

describe('federation-actor and federation-actor-document', () => {
  const actor = JSON.parse(new TextDecoder().decode(healthyAnswer('actor').body)) as Record<string, unknown>;
  const judgeActor = (changes: Record<string, unknown>) =>
    federationActorDocument.judge(
      evidenceOf({ answers: { actor: healthyAnswer('actor', { json: { ...actor, ...changes } }) } }),
    );

  it.each([
    ['no inbox', { inbox: undefined }, 'fail', /`inbox` is missing/],
    ['an inbox that is not a URL', { inbox: ['x'] }, 'fail', /`inbox` is \["x"\]/],
    ['no key', { publicKey: undefined }, 'fail', /`publicKey` is missing/],
    ['a key that is not PEM', { publicKey: { owner: actor.id, publicKeyPem: 'secret' } }, 'fail', /is not a PEM key/],
    [
      'the key of another actor',
      { publicKey: { ...(actor.publicKey as object), owner: 'https://b.example/' } },
      'fail',
      /owner/,
    ],
    ['a type that is not an actor type', { type: 'Note' }, 'fail', /`type` is "Note"/],
    ['no name', { preferredUsername: '' }, 'fail', /`preferredUsername` is missing/],
    ['the type of a person', { type: 'Person' }, 'warn', /a type for a person or group/],
  ] as const)('judge an actor with %s', (_title, changes, severity, detail) => {
    expect(judgeActor(changes)).toMatchObject({ severity, detail: expect.stringMatching(detail) });
  });

  it('warn of an actor whose id is another URL', () => {
    const found = healthyAnswer('actor', { url: 'https://loops.example/actor' });
    expect(federationActorDocument.judge(evidenceOf({ answers: { actor: found } }))).toMatchObject({
      severity: 'warn',
    });
  });

  it('leave a document that is not an actor to federation-actor', () => {
    const page = healthyAnswer('actor', { body: webApp, headers: { 'content-type': 'text/html' } });
    const evidence = evidenceOf({ answers: { actor: page } });
    expect(federationActor.judge(evidence)).toMatchObject({
      severity: 'fail',
      detail: expect.stringContaining('the web app'),
    });
    expect(federationActorDocument.judge(evidence)).toBeNull();
  });
});
