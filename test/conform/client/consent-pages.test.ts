import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { main } from '../../../src/commands/main.ts';
import { authorizationsOf } from '../../../src/conform/client/call.ts';
import { judgeClient } from '../../../src/conform/client/judge-client.ts';
import { type Drive, playScenario } from '../../../src/conform/client/play.ts';
import { SCENARIOS } from '../../../src/conform/client/scenario.ts';
import { type ReferenceServer, seededAccounts } from '../../../src/reference/index.ts';
import {
  authorizeQuery,
  callback,
  createConsentVisitor,
  exchangeOf,
  outOfBand,
  postJson,
  register,
} from '../../reference/consent-visitor.ts';

it.each([callback, outOfBand])(
  'the requests for the consent pages before %s count as one authorization request',
  async (redirect_uri) => {
    const drive: Drive = async ({ url }) => {
      const server = { url } as ReferenceServer;
      const app = await register(server, { redirect_uris: redirect_uri });
      const query = authorizeQuery(app, { redirect_uri, state: 'once' });
      const code = await createConsentVisitor(server).codeFor(query);
      await postJson(`${url}/oauth/token`, exchangeOf(app, code, { redirect_uri }));
      return null;
    };
    const happy = SCENARIOS.find(({ name }) => name === 'happy');
    if (happy === undefined) throw new Error('there is no scenario happy');
    const run = await playScenario(happy, drive, { pages: true });
    expect(run.calls.filter(({ path }) => path === '/oauth/authorize').length).toBeGreaterThan(3);
    expect(authorizationsOf(run)).toHaveLength(1);
    expect(run.codes).toHaveLength(1);
    const broken = judgeClient([run]).filter(({ broken }) => broken.length > 0);
    // This client does not read the configuration.
    expect(broken.map(({ clause }) => clause.id)).toEqual(['client.identify.config-first']);
  },
);

it('a person operates the client, sees the account for the consent pages, and presses Enter', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let text = '';
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      const url = /http:\S+/.exec(text)?.[0];
      if (String(chunk).includes('Press Enter')) void fetch(`${url}/api/v1/config`).then(() => stdin.write('\n'));
      done();
    },
  });
  const stdout = new PassThrough();
  const code = await main(
    ['conform', '--client', '--pages', '--scenario', 'happy', '--only', 'client.identify.config-first'],
    { stdin, stdout, stderr, cwd: import.meta.dirname },
  );
  expect([code, String(stdout.read())]).toEqual([0, expect.stringContaining('the client fails no clause')]);
  expect(text).toContain(`Sign in as ada with the password ${seededAccounts()[0]?.password}.`);
});
