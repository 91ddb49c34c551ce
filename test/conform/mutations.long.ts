import { expect, it } from 'vitest';
import { SERVER_CLAUSES } from '../../src/conform/clauses/clauses.ts';
import { seededAccounts } from '../../src/reference/index.ts';
import { allMutations } from './mutations.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';
import { clauseOf, notPassed, runAgainst } from './run-against.ts';

it('at least 95 % of the single mutations of a correct server are caught by the clause that they break', async () => {
  await using proxy = await startRewritingProxy();
  const user = seededAccounts()[0] ?? null;
  const video = proxy.server.state.data.videos.all()[0]?.id ?? '';
  const clean = await runAgainst(proxy.url, { writes: true, user, video, apps: 2 });
  expect(notPassed(clean.results)).toEqual([]);

  const mutations = allMutations(new Set(SERVER_CLAUSES.map(({ id }) => id)));
  const survivors: string[] = [];
  for (const { name, clause, rewrite } of mutations) {
    proxy.rewrite = rewrite;
    // The sign-in takes longer than all other requests, so it is skipped unless the consent page matters.
    proxy.server.state.autoApprove = clause === 'authorize.denied' ? null : (user?.username ?? null);
    const clauses = SERVER_CLAUSES.filter(({ id }) => id === clause);
    const { results } = await runAgainst(proxy.url, { writes: true, user, video, clauses });
    const { verdict, why } = clauseOf(results, clause);
    if (verdict !== 'fail') survivors.push(`${name}: ${verdict}: ${why}`);
  }

  const untried = SERVER_CLAUSES.filter(({ id }) => !mutations.some(({ clause }) => clause === id)).map(({ id }) => id);
  // No rewritten response gives a code without asking the user, or concerns two apps; `conform.test.ts` and `planted-faults.long.ts` show these.
  expect(untried).toEqual(['authorize.consent', 'token.code.own', 'revoke.own']);
  expect(mutations.length).toBeGreaterThanOrEqual(150);
  expect(survivors.length, survivors.join('\n')).toBeLessThanOrEqual(mutations.length * 0.05);
}, 120_000);
