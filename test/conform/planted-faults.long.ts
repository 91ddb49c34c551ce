import { describe, expect, it } from 'vitest';
import type { ConformOptions } from '../../src/conform/conform.ts';
import { type Choices, type ServerFault, startIndependentServer } from './independent-server.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';
import { clauseOf, runAgainst } from './run-against.ts';

/** The clauses that each fault of a server breaks. */
const clausesOfFaults: Record<ServerFault, readonly string[]> = {
  'accepts a redirect URI that continues the registered one': ['authorize.redirect_uri.registered'],
  'accepts a redirect URI without its query': ['authorize.redirect_uri.registered'],
  'accepts a redirect URI in a folder below': ['authorize.redirect_uri.registered'],
  'exchanges a code for a redirect URI that continues the registered one': ['token.redirect_uri.same'],
  'exchanges a code for a redirect URI without its query': ['token.redirect_uri.same'],
  'exchanges a code for a redirect URI in a folder below': ['token.redirect_uri.same'],
  'cuts a long state': ['authorize.state.long'],
  'refuses a long state': ['authorize.state.long'],
  'gives an app a token without a secret': ['token.client_secret.app'],
  'refuses scope=read at the token endpoint': ['token.scope.read'],
  'owns no video': ['video.is_owner.token'],
  'owns every video': ['video.is_owner.token'],
  'creates tokens in another time zone': ['token.created_at.clock'],
  'exchanges the code of another app': ['token.code.own'],
  'lets any app revoke a token': ['revoke.own'],
};

/** The failures of a run with a user, without those of the level `may`. */
async function failuresOf(choices: Partial<Choices> & { fault?: ServerFault }, options: Partial<ConformOptions> = {}) {
  await using server = await startIndependentServer(choices);
  const { user, video } = server;
  const run = await runAgainst(server.url, { writes: true, user, video, level: 'should', ...options });
  const failures = run.results.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  return { ...run, failures };
}

describe.concurrent('a server with one fault breaks exactly the clauses of the fault:', () => {
  it.each(Object.entries(clausesOfFaults))('%s', async (fault, clauses) => {
    const { failures } = await failuresOf({ fault: fault as ServerFault }, { apps: 2 });
    expect(failures).toEqual(clauses);
  });
});

const german = { buttons: ['Ablehnen', 'Zulassen'] };

it('the profile live accuses no server of a gone author, a video that is processed, or a configuration of an earlier version', async () => {
  await using proxy = await startRewritingProxy();
  proxy.server.state.profile = 'live';
  const later = ['registration_mode', 'pushNotifications', 'starterKits', 'atomFeeds', 'account'];
  proxy.rewrite = (answer, { path }) => {
    if (!path.startsWith('/api/v1/') || answer.status !== 200) return;
    const { data, ...config } = JSON.parse(answer.text);
    const video = {
      ...data,
      account: [],
      media: { ...data?.media, src_url: null },
      audio: { ...data?.audio, sound_id: null },
    };
    const kept = Object.fromEntries(Object.entries(config).filter(([key]) => !later.includes(key)));
    answer.text = JSON.stringify(data === undefined ? kept : { data: video });
  };
  const video = proxy.server.state.data.videos.all()[0]?.id ?? '';
  const { results } = await runAgainst(proxy.url, { profile: 'live', video });
  const idsWith = (wanted: string) => results.clauses.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  expect(idsWith('fail')).toEqual([]);
  // A known difference, which the report names.
  expect(idsWith('warning')).toEqual([
    ...['registration_mode', 'pushNotifications', 'starterKits', 'atomFeeds', 'account.max_bio_length'].map(
      (path) => `config.${path}`,
    ),
  ]);
  for (const id of ['video.account', 'video.media.src_url', 'video.audio.sound_id']) {
    expect(clauseOf(results, id).verdict).toBe('pass');
  }
  const spec = await runAgainst(proxy.url, { video });
  expect(clauseOf(spec.results, 'config.atomFeeds').verdict).toBe('fail');
});

describe.concurrent('a correct server is not accused, if it', () => {
  it.each<[string, Partial<Choices>, Partial<ConformOptions>]>([
    ['remembers the consent of the user', { remembersConsent: true }, {}],
    ['has a consent page in another language, whose button is named', german, { approveButton: 'Zulassen' }],
    ['has a consent page in another language', german, {}],
    ['has a consent page that only JavaScript can operate', { buttons: [] }, {}],
    ['refuses a revocation with a page', { refusesWithPage: true }, {}],
    ['has limits of 0', { limit: 0 }, {}],
  ])('%s', async (_what, choices, options) => {
    expect((await failuresOf(choices, options)).failures).toEqual([]);
  });

  it('reads only JSON, apart from the clause about forms; PKCE is tested with JSON', async () => {
    const { failures, results } = await failuresOf({ readsForms: false });
    expect(failures).toEqual(['token.form']);
    expect(clauseOf(results, 'pkce.public').verdict).toBe('pass');
  });

  it('has a page that cannot be operated: what needs it is skipped, and the cure named', async () => {
    const { results } = await failuresOf(german);
    expect(clauseOf(results, 'endpoint.authorize')).toMatchObject({
      verdict: 'skipped',
      why: 'the page has no button that is known to approve: --approve-button names its button, and --token replaces the sign-in',
    });
    const named = await failuresOf(german, { approveButton: 'Zulassen' });
    for (const id of ['endpoint.authorize', 'authorize.consent', 'authorize.denied']) {
      expect(clauseOf(named.results, id).verdict).toBe('pass');
    }
  });

  it('is tested with two apps, of which a run registers the second only on request', async () => {
    const { failures, results } = await failuresOf({}, { apps: 2 });
    expect(failures).toEqual([]);
    const alone = await failuresOf({});
    const registrations = alone.exchanges.filter(({ answer }) => answer?.text.includes('"client_secret"'));
    expect(registrations).toHaveLength(1);
    for (const id of ['token.code.own', 'revoke.own']) expect(clauseOf(results, id).verdict).toBe('pass');
  });
});
