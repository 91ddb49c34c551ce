import { describe, expect, it } from 'vitest';
import { PROFILES } from '../../src/conform/clauses/clause.ts';
import { SERVER_CLAUSES } from '../../src/conform/clauses/clauses.ts';
import { CLIENT_CLAUSES } from '../../src/conform/clauses/client.ts';
import { JUDGEMENTS } from '../../src/conform/judgements/judgements.ts';
import { PROBE_IDS, PROBE_NEEDS } from '../../src/conform/probes/probe-ids.ts';
import { withPrerequisites } from '../../src/conform/probes/run-probes.ts';
import { plannedProbes } from '../../src/conform/report/listing.ts';
import { createReferenceServer, seededAccounts } from '../../src/reference/index.ts';
import { startIndependentServer } from './independent-server.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';
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

it('a run sends the requests that a dry run lists, and at most 70 in all', async () => {
  await using server = await createReferenceServer();
  const video = server.state.data.videos.all()[0]?.id ?? '';
  const { exchanges } = await runAgainst(server.url, { writes: true, user, video });
  const planned = plannedProbes(SERVER_CLAUSES, { writes: true, user, token: null, video });
  expect(new Set(exchanges.map(({ probe }) => probe))).toEqual(new Set(planned.map(({ probe }) => probe)));
  for (const { probe, request } of planned) {
    // The plan names no path for `nodeinfo`.
    if (probe === 'nodeinfo') continue;
    const sent = exchanges.find((exchange) => exchange.probe === probe)?.request;
    const { pathname } = new URL(sent?.url ?? '');
    expect(request.replace('{--video}', video)).toContain(`${sent?.method} ${pathname}`);
  }
  // docs/conform.md says "about 70".
  expect(exchanges.length).toBeLessThanOrEqual(70);
});

describe.each(PROFILES)('the reference server in the profile %s', (profile) => {
  it('passes every clause that its data can show; the run registers one app and does not record the password', async () => {
    await using server = await createReferenceServer({ profile, accounts: [{ username: 'ada', links: [] }] });
    const video = server.state.data.videos.all()[0]?.id ?? '';
    const { results, exchanges } = await runAgainst(server.url, { profile, writes: true, user, video });
    expect(notPassed(results).filter((line) => !line.startsWith('account.links.'))).toEqual([]);
    expect(clauseOf(results, 'account.links.url')).toMatchObject({ verdict: 'not shown', why: '`links` is empty' });
    const registrations = exchanges.filter(({ answer }) => answer?.text.includes('"client_id"'));
    expect(registrations).toHaveLength(1);
    expect(JSON.stringify([results, exchanges])).not.toContain(user?.password);
  });

  it('passes every clause that a read-only run decides, and accepts no POST request of the run', async () => {
    await using server = await createReferenceServer({ profile });
    const { results, exchanges } = await runAgainst(server.url, { profile });
    expect(notPassed(results).filter((line) => !line.includes(': skipped: it needs --'))).toEqual([]);
    const readOnlyProbes = PROBE_IDS.filter((probe) => PROBE_NEEDS[probe] === 'nothing');
    expect(results).toMatchObject({ requests: readOnlyProbes.length, counts: { fail: 0 } });
    expect(results.counts.pass).toBeGreaterThan(70);
    const posts = exchanges.filter(({ request }) => request.method === 'POST');
    expect(posts.filter(({ answer }) => (answer?.status ?? 0) < 400)).toEqual([]);
  });
});

it('the profile live tolerates missing NodeInfo and a missing revocation endpoint, and the profile spec does not', async () => {
  await using server = await createReferenceServer({
    profile: 'live',
    // Without federation, a live server has no NodeInfo.
    config: { federation: false },
    faults: [{ route: '/oauth/revoke', fault: 'status', status: 404 }],
  });
  const live = await runAgainst(server.url, { profile: 'live', level: 'must' });
  const warnings = live.results.clauses.filter(({ verdict }) => verdict === 'warning').map(({ id }) => id);
  expect(warnings).toEqual(['endpoint.discovery', 'endpoint.revoke']);
  expect(live.results.isConformant).toBe(true);
  const spec = await runAgainst(server.url, { profile: 'spec', level: 'must' });
  const failures = spec.results.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  // On live servers, `hasGifProvider` is named `hasKlipy`.
  expect(failures).toEqual(['config.hasGifProvider', 'endpoint.discovery', 'endpoint.revoke']);
});

it('the profile live registers a list of redirect URIs, and only warns of the fields and the grant that live servers lack', async () => {
  await using proxy = await startRewritingProxy();
  proxy.server.state.profile = 'live';
  proxy.rewrite = (answer, { path, fields }) => {
    const isRegistration = path === '/api/v1/apps';
    if (isRegistration && !Array.isArray(fields.redirect_uris)) answer.status = 422;
    if (isRegistration && answer.status === 200) {
      const { name, redirect_uri, client_id, client_secret } = JSON.parse(answer.text);
      answer.text = JSON.stringify({ client_name: name, redirect_uris: [redirect_uri], client_id, client_secret });
    }
    if (path !== '/oauth/token' || answer.status !== 200) return;
    const { access_token, token_type } = JSON.parse(answer.text);
    answer.text = JSON.stringify({ access_token, token_type, expires_in: 31_536_000 });
    if (fields.grant_type === 'client_credentials') answer.status = 400;
  };
  const { results } = await runAgainst(proxy.url, { profile: 'live', level: 'must', writes: true, user });
  const wrong = results.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning');
  const missingFields = ['app.id', 'app.name', 'app.website', 'app.redirect_uri', 'token.scope', 'token.created_at'];
  expect(wrong.map(({ id, verdict }) => `${id}: ${verdict}`)).toEqual(
    [...missingFields, 'token.client_credentials'].map((id) => `${id}: warning`),
  );
});

it('a server that was written from the specification alone breaks only two clauses, both of the level may', async () => {
  await using server = await startIndependentServer();
  const { results } = await runAgainst(server.url, { writes: true, user: server.user, video: server.video });
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
