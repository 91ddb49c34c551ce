import { describe, expect, it } from 'vitest';
import { PROFILES, type Profile } from '../../src/conform/clauses/clause.ts';
import { SERVER_CLAUSES } from '../../src/conform/clauses/clauses.ts';
import { CLIENT_CLAUSES } from '../../src/conform/clauses/client.ts';
import { JUDGEMENTS } from '../../src/conform/conform.ts';
import { PROBE_IDS, PROBE_NEEDS } from '../../src/conform/probes/probe-ids.ts';
import { withPrerequisites } from '../../src/conform/probes/run-probes.ts';
import { plannedProbes } from '../../src/conform/report/listing.ts';
import { createReferenceServer, seededAccounts } from '../../src/reference/index.ts';
import { startIndependentServer } from './independent-server.ts';
import { clauseOf, notPassed, runAgainst } from './run-against.ts';

const [user = null] = seededAccounts();

describe('the clauses', () => {
  it('have distinct, valid ids, and exactly those about servers have a judgement', () => {
    const ids = [...SERVER_CLAUSES, ...CLIENT_CLAUSES].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]+(?:[.-][\w-]+)*$/i.test(id))).toEqual([]);
    expect(Object.keys(JUDGEMENTS).toSorted()).toEqual(SERVER_CLAUSES.map(({ id }) => id).toSorted());
  });

  it('need every probe, directly or as a prerequisite', () => {
    const used = new Set(SERVER_CLAUSES.flatMap(({ probes }) => probes));
    const needed = new Set(withPrerequisites([...used]));
    expect(PROBE_IDS.filter((probe) => !needed.has(probe))).toEqual([]);
  });
});

it('a run sends the requests that a dry run lists, and at most 100 in all, with two apps', async () => {
  await using server = await createReferenceServer();
  const video = server.state.data.videos.all()[0]?.id ?? '';
  const { exchanges } = await runAgainst(server.url, { writes: true, user, video, apps: 2 });
  const planned = plannedProbes(SERVER_CLAUSES, { writes: true, user, token: null, video, apps: 2 });
  expect(new Set(exchanges.map(({ probe }) => probe))).toEqual(new Set(planned.map(({ probe }) => probe)));
  for (const { probe, request } of planned) {
    // The plan names no path for `nodeinfo`.
    if (probe === 'nodeinfo') continue;
    const sent = exchanges.find((exchange) => exchange.probe === probe)?.request;
    const { pathname } = new URL(sent?.url ?? '');
    expect(request.replace('{--video}', video)).toContain(`${sent?.method} ${pathname}`);
  }
  // docs/conform.md says "about 85", without the second app.
  expect(exchanges.length).toBeLessThanOrEqual(100);
});

/** The clauses about what live servers do not have. */
const notShown = {
  spec: [],
  live: [
    ...['app.id', 'app.name', 'app.website', 'app.redirect_uri'],
    ...['app.name.given', 'app.website.given', 'app.redirect_uri.given'],
    ...['token.scope', 'token.created_at', 'token.scope.format', 'token.created_at.seconds', 'token.created_at.clock'],
    ...[
      'endpoint.revoke',
      'authorize.iss',
      'token.scope.read',
      'token.client_credentials',
      'scope.default',
      'account.needs-user',
    ],
    ...['revoke.token', 'revoke.token.status', 'revoke.unknown', 'revoke.client', 'revoke.empty'],
    ...['metadata.json', 'metadata.issuer', 'metadata.endpoints', 'metadata.response_types'],
    ...['metadata.scopes', 'metadata.challenge_methods'],
  ],
} satisfies Record<Profile, string[]>;

describe.each(PROFILES)('the reference server in the profile %s', (profile) => {
  it('passes every clause that its data can show; the run registers the apps that it may, and does not record the password', async () => {
    await using server = await createReferenceServer({ profile, accounts: [{ username: 'ada', links: [] }] });
    const video = server.state.data.videos.all()[0]?.id ?? '';
    const { results, exchanges } = await runAgainst(server.url, { profile, writes: true, user, video, apps: 2 });
    const wrong = results.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning');
    expect(wrong).toEqual([]);
    const undecided = notPassed(results).map((line) => line.split(':', 1)[0] ?? '');
    expect(undecided.filter((id) => !id.startsWith('account.links.'))).toEqual(notShown[profile]);
    expect(clauseOf(results, 'account.links.url')).toMatchObject({ verdict: 'not shown', why: '`links` is empty' });
    const registrations = exchanges.filter(({ answer }) => answer?.text.includes('"client_id"'));
    expect(registrations).toHaveLength(2);
    expect(JSON.stringify([results, exchanges])).not.toContain(user?.password);
  });

  it('passes every clause that a read-only run decides, and accepts no POST request of the run', async () => {
    await using server = await createReferenceServer({ profile });
    const { results, exchanges } = await runAgainst(server.url, { profile });
    const lines = notPassed(results).filter((line) => !line.includes(': skipped: it needs --'));
    const isAboutLive = (line: string) => /^(?:authorize\.iss|metadata\.|endpoint\.revoke|revoke\.empty)/.test(line);
    expect(profile === 'live' ? lines.filter((line) => !isAboutLive(line)) : lines).toEqual([]);
    const readOnlyProbes = PROBE_IDS.filter((probe) => PROBE_NEEDS[probe] === 'nothing');
    expect(results).toMatchObject({ requests: readOnlyProbes.length, counts: { fail: 0 } });
    expect(results.counts.pass).toBeGreaterThan(65);
    const posts = exchanges.filter(({ request }) => request.method === 'POST');
    expect(posts.filter(({ answer }) => (answer?.status ?? 0) < 400)).toEqual([]);
  });
});

it('the profile live tolerates missing NodeInfo and expects no revocation, and the profile spec does not', async () => {
  // Without federation, a live server has no NodeInfo.
  await using server = await createReferenceServer({ profile: 'live', config: { federation: false } });
  const live = await runAgainst(server.url, { profile: 'live', level: 'must' });
  const warnings = live.results.clauses.filter(({ verdict }) => verdict === 'warning').map(({ id }) => id);
  expect(warnings).toEqual(['endpoint.discovery']);
  expect(live.results.isConformant).toBe(true);
  const spec = await runAgainst(server.url, { profile: 'spec', level: 'must' });
  const failures = spec.results.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  // On live servers, `hasGifProvider` is named `hasKlipy`.
  expect(failures).toEqual(['config.hasGifProvider', 'endpoint.discovery', 'endpoint.revoke']);
});

it('a consent that is given without asking the user is a warning, and is no denial', async () => {
  await using server = await createReferenceServer({ autoApprove: 'ada' });
  const { results } = await runAgainst(server.url, { level: 'must', writes: true, user });
  expect(clauseOf(results, 'authorize.consent').verdict).toBe('warning');
  expect(clauseOf(results, 'authorize.denied')).toMatchObject({ verdict: 'not shown' });
  expect(results.isConformant).toBe(true);
});

it('a server that was written from the specification alone breaks only two clauses, both of the level may', async () => {
  await using server = await startIndependentServer();
  const { results } = await runAgainst(server.url, { writes: true, user: server.user, video: server.video, apps: 2 });
  const noMetadata = 'not shown: the server publishes no metadata: status 404, application/json';
  expect(notPassed(results)).toEqual([
    `authorize.iss: ${noMetadata}`,
    'apps.no-store: fail: Cache-Control is missing',
    'loopback.port: fail: status 400, text/html',
    ...['json', 'issuer', 'endpoints', 'response_types', 'scopes', 'challenge_methods'].map(
      (word) => `metadata.${word}: ${noMetadata}`,
    ),
  ]);
  expect(['apps.no-store', 'loopback.port'].map((id) => clauseOf(results, id).level)).toEqual(['may', 'may']);
});
