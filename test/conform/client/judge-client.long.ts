import { describe, expect, it } from 'vitest';
import { CLIENT_CLAUSES } from '../../../src/conform/clauses/client.ts';
import { CLIENT_JUDGES, judgeClient } from '../../../src/conform/client/judge-client.ts';
import { type Drive, playScenario } from '../../../src/conform/client/play.ts';
import { SCENARIOS } from '../../../src/conform/client/scenario.ts';
import { type ClientFault, modelClient } from './model-client.ts';

/** Plays scenarios with the model client, all at the same time. The client does not say whether it accepts the server. */
function play(names: readonly string[], faults: readonly ClientFault[] = []) {
  const drive: Drive = async (target) => {
    await modelClient(target, faults);
    return null;
  };
  const scenarios = SCENARIOS.filter(({ name }) => names.includes(name));
  return Promise.all(scenarios.map((scenario) => playScenario(scenario, drive)));
}

describe.concurrent('the client clauses', () => {
  it('have a judge each, and name scenarios that exist', () => {
    expect(Object.keys(CLIENT_JUDGES).sort()).toEqual(CLIENT_CLAUSES.map(({ id }) => id).sort());
    const names = SCENARIOS.map(({ name }) => name);
    expect(CLIENT_CLAUSES.flatMap(({ scenarios }) => scenarios).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('all pass for a correct client that plays every scenario', async () => {
    const results = judgeClient(await play(SCENARIOS.map(({ name }) => name)));
    expect(results.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  }, 60_000);
});

/** The clauses that each fault of a client breaks, without the prefix `client.`. */
const clausesOfFaults: Record<ClientFault, readonly string[]> = {
  'any Accept': ['config.accept'],
  forms: ['json'],
  'NodeInfo first': ['identify.config-first'],
  'no identification': ['identify.config-first', 'identify.exact'],
  'lower-case comparison': ['identify.exact'],
  'comparison by prefix': ['identify.exact', 'identify.config-decides'],
  'comparison after trimming': ['identify.exact'],
  'first link of NodeInfo': ['identify.schema-2.0'],
  'constructed NodeInfo address': ['identify.href'],
  'href without its query': ['identify.href'],
  'NodeInfo without discovery': ['identify.href', 'identify.config-decides'],
  'NodeInfo without discovery if there is no configuration': ['identify.href'],
  'href in lower case': ['identify.href'],
  'href with a slash': ['identify.href', 'identify.exact'],
  'accepts a missing configuration': ['identify.exact'],
  'accepts a configuration without software': ['identify.exact'],
  'comparison by prefix in NodeInfo': ['identify.exact'],
  'NodeInfo decides': ['identify.config-decides'],
  'either of the two': ['identify.config-decides'],
  'account without read': ['token.scope'],
  'shortcode as the id of a video': ['video.id'],
  'needs the scope of the token': ['live.token'],
  'needs a bare video': ['live.video'],
  'needs an author': ['live.author'],
  'plays a missing source': ['live.source'],
  'needs a source': ['live.source'],
  'needs hasGifProvider': ['identify.missing-fields'],
  'needs every field': ['identify.missing-fields'],
  'redirect URIs as a list': [],
  'registers by a form, as the official app does': ['json'],
  'scopes as a list': ['apps.fields', 'authorize.client_id', 'registered-first'],
  'a body that is not JSON': ['json'],
  'registers twice': ['apps.once'],
  'authorizes before it registers': ['registered-first', 'authorize.client_id'],
  'response type token': ['authorize.response_type'],
  'made-up client_id': ['authorize.client_id'],
  'unregistered redirect URI': ['authorize.redirect_uri'],
  'redirect to localhost': ['redirect.loopback'],
  'scope beyond the app': ['authorize.scope'],
  'no state': ['state.sent'],
  'constant state': ['state.sent'],
  'unchecked state': ['state.checked'],
  'unchecked state if it is missing': ['state.checked'],
  'unchecked iss': ['iss.checked'],
  'token after a denial': ['denied', 'token.code'],
  'password grant': ['token.grant_type'],
  'no credentials': ['token.credentials'],
  'credentials in the header': ['token.credentials'],
  'other redirect URI in the token request': ['token.redirect_uri'],
  'made-up code': ['token.code'],
  'code sent again': ['token.code.once'],
  'token in the URL too': ['token.only-in-header'],
  'token in the URL only': ['token.header', 'token.only-in-header'],
  'revoked token sent again': ['token.revoked'],
  'secret in the authorization URL': ['secret.kept'],
  'secret in a header': ['secret.kept'],
  'credentials in the header of a video': ['secret.kept'],
  'no verifier': ['pkce.verifier'],
  'short verifier': ['pkce.verifier'],
  'other verifier': ['pkce.verifier'],
  'constant verifier': ['pkce.fresh'],
  'no challenge method': ['pkce.method'],
  'revocation without the token': ['revoke'],
  'ignores Retry-After': ['retry-after'],
  impatient: ['slow', 'apps.once', 'token.code.once'],
};

describe.concurrent('a client with one fault breaks exactly the clauses of the fault:', () => {
  it.each(Object.entries(clausesOfFaults))('%s', async (fault, expected) => {
    const ids = expected.map((id) => `client.${id}`);
    const scenarios = CLIENT_CLAUSES.filter(({ id }) => ids.includes(id)).flatMap(({ scenarios }) => scenarios);
    const results = judgeClient(await play(scenarios, [fault as ClientFault]));
    const brokenIds = results.filter(({ broken }) => broken.length > 0).map(({ clause }) => clause.id);
    expect(brokenIds.sort()).toEqual(ids.sort());
  });
});
