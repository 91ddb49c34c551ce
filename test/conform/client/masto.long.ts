import { readFileSync } from 'node:fs';
import { createOAuthAPIClient, createRestAPIClient } from 'masto';
import { expect, it } from 'vitest';
import { judgeClient } from '../../../src/conform/client/judge-client.ts';
import { type Drive, playScenario } from '../../../src/conform/client/play.ts';
import { SCENARIOS } from '../../../src/conform/client/scenario.ts';

const callback = 'http://127.0.0.1:4000/back';

/** masto builds paths from the names that are called at run time; these are the names of the Loops API. */
interface LoopsClient {
  v1: {
    account: { info: { self: { fetch(): Promise<unknown> } } };
    video: { $select(id: string): { fetch(): Promise<unknown> } };
  };
}

/** Connects with masto and, for the authorization URL, with `fetch`: masto has no function for it, and does not identify servers. */
const drive: Drive = async ({ url, video }) => {
  const app = await createRestAPIClient({ url }).v1.apps.create({
    clientName: 'masto',
    redirectUris: callback,
    scopes: 'read',
  });
  const { clientId = '', clientSecret = '' } = app as { clientId?: string; clientSecret?: string };
  const query = { response_type: 'code', client_id: clientId, redirect_uri: callback, scope: 'read' };
  const answer = await fetch(`${url}/oauth/authorize?${new URLSearchParams(query)}`, { redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code');
  if (code === null) return null;
  const oauth = createOAuthAPIClient({ url });
  const grant = { grantType: 'authorization_code', clientId, clientSecret, redirectUri: callback, code } as const;
  const { accessToken } = await oauth.token.create(grant);
  const client = createRestAPIClient({ url, accessToken }) as unknown as LoopsClient;
  await client.v1.account.info.self.fetch();
  await client.v1.video.$select(video).fetch();
  await oauth.revoke({ clientId, clientSecret, token: accessToken });
  return null;
};

it('masto breaks the client clauses that the documentation names, and shows nothing about nine others', async () => {
  // masto throws when a server refuses a request, as some scenarios do.
  const driveToFirstError: Drive = (target) => drive(target).catch(() => null);
  const results = judgeClient(
    await Promise.all(SCENARIOS.map((scenario) => playScenario(scenario, driveToFirstError))),
  );
  const idsWith = (wanted: string) =>
    results.filter(({ verdict }) => verdict === wanted).map(({ clause }) => clause.id);
  expect(idsWith('not shown')).toEqual([
    'client.config.accept',
    'client.state.checked',
    'client.identify.config-decides',
    'client.identify.schema-2.0',
    'client.identify.href',
    'client.identify.missing-fields',
    'client.pkce.verifier',
    'client.pkce.method',
    'client.pkce.fresh',
  ]);
  const page = readFileSync(new URL('../../../docs/conform-clients.md', import.meta.url), 'utf8');
  // The row of the table: the name and version, the clauses that fail, and those with a warning.
  const [, fails = '', warnings = ''] = /^\| masto [\d.]+ \|([^|]*)\|([^|]*)\|/m.exec(page) ?? [];
  const idsIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, id]) => id);
  expect([idsWith('fail'), idsWith('warning')]).toEqual([idsIn(fails), idsIn(warnings)]);
});
