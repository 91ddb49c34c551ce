import { type Call, type ClientRun, isTo, PATHS } from './call.ts';
import { eachCall, eachRun, type Judge, type Observation } from './judge.ts';
import { SLOW_MS } from './scenario.ts';

/** Tolerance for inexact timers and for differences between the clocks of two processes, in milliseconds. */
const TOLERANCE_MS = 50;

/** The judges of the clauses about identification, rate limits and slow answers. */
export const IDENTIFICATION_JUDGES: Readonly<Record<string, Judge>> = {
  'client.config.accept': eachCall(
    ({ calls }) => calls.filter((call) => isTo(call, 'GET', PATHS.config)),
    ({ headers: { accept } }) =>
      String(accept).includes('application/json') ? null : `the header Accept is ${accept ?? 'missing'}`,
  ),
  'client.identify.config-first': eachRun(({ calls }) => {
    const call = calls.find((one) => isIdentification(one) || usesServer(one));
    if (call === undefined) return undefined;
    return { call, problem: call.path === PATHS.config ? null : `the first request is ${call.method} ${call.path}` };
  }),
  'client.identify.exact': inScenarios(
    ['other-software', 'longer-software', 'padded-software', 'missing-config', 'other-config'],
    refusesServer,
  ),
  'client.identify.config-decides': inScenarios(['contradiction'], (run, runs) =>
    run.calls.some(({ path }) => path === PATHS.config) ? refusesServer(run, runs) : undefined,
  ),
  'client.identify.schema-2.0': eachRun((run, runs) => {
    const found = linksOf(run);
    if (found === undefined) return undefined;
    const wrong = run.calls.find(({ target }) => found.others.includes(target));
    if (wrong !== undefined) return { call: wrong, problem: 'this is the href of a link with another `rel`' };
    if (found.wanted !== undefined) return found.others.length === 0 ? undefined : { call: found.call, problem: null };
    return refusesServer(run, runs);
  }),
  'client.identify.href': eachRun((run) => {
    const found = linksOf(run);
    const given = found === undefined ? [] : [...found.others, ...(found.wanted === undefined ? [] : [found.wanted])];
    const paths = given.map((target) => target.split('?', 1)[0]?.toLowerCase() ?? '');
    const constructed = run.calls.find(({ path, target, at }) => {
      if (path === PATHS.discovery || (given.includes(target) && at >= (found?.call.at ?? 0))) return false;
      return /\/nodeinfo/i.test(path) || paths.some((one) => path.toLowerCase().includes(one));
    });
    if (constructed !== undefined) {
      const advertised =
        found === undefined ? 'the client did not request the links' : `the links lead to ${given.join(' and ')}`;
      return { call: constructed, problem: `no link leads there: ${advertised}` };
    }
    if (run.scenario !== 'moved-href' || found?.wanted === undefined) return undefined;
    const { wanted, others } = found;
    // client.identify.schema-2.0 reports this.
    if (run.calls.some(({ target }) => others.includes(target))) return undefined;
    const call = run.calls.find(({ target }) => target === wanted);
    if (call !== undefined) return { call, problem: null };
    const firstUse = run.calls.find(usesServer);
    return firstUse === undefined
      ? undefined
      : { call: firstUse, problem: `the client did not request the href ${wanted}` };
  }),
  'client.identify.missing-fields': inScenarios(['missing-fields', 'klipy'], (run, runs) => {
    if (!happyRunUsesServer(runs) || !run.calls.some(isIdentification)) return undefined;
    if (run.accepted !== false && acceptsServer(run)) return { call: null, problem: null };
    const problem = 'the client does not use the server, although it uses one whose configuration is complete';
    return { call: run.calls.find(isIdentification) ?? null, problem };
  }),
  'client.retry-after': eachCall(
    ({ calls }) => calls.filter(({ status }) => status === 429),
    ({ method, path, answeredAt, answerHeaders }, { calls }) => {
      const again = calls.find((call) => isTo(call, method, path) && call.at > answeredAt);
      const waitedMs = (again?.at ?? Number.POSITIVE_INFINITY) - answeredAt;
      const seconds = Number(answerHeaders['retry-after']);
      if (waitedMs >= seconds * 1_000 - TOLERANCE_MS) return null;
      return `the client repeated it after ${waitedMs} ms; Retry-After was ${seconds} seconds`;
    },
  ),
  'client.slow': eachCall(
    ({ calls }) => calls.filter(({ at, answeredAt }) => answeredAt - at >= SLOW_MS - TOLERANCE_MS),
    (slow, { calls }) => {
      const { at, answeredAt, method, target } = slow;
      const repeated = calls.find(
        (call) =>
          call !== slow && call.method === method && call.target === target && call.at >= at && call.at < answeredAt,
      );
      return repeated === undefined ? null : `the client repeated it after ${repeated.at - at} ms, without an answer`;
    },
  ),
};

/** Whether the client used the server, or says that it is a Loops server. */
export function acceptsServer({ calls, accepted }: ClientRun): boolean {
  return accepted === true || calls.some(usesServer);
}

function happyRunUsesServer(runs: readonly ClientRun[]): boolean {
  return runs.some((run) => run.scenario === 'happy' && acceptsServer(run));
}

function isIdentification({ path }: Call): boolean {
  return path === PATHS.config || path === PATHS.discovery || path.startsWith('/nodeinfo/');
}

const USES: readonly string[] = [PATHS.apps, PATHS.authorize, PATHS.token, PATHS.account];

function usesServer({ path }: Call): boolean {
  return USES.includes(path) || path.startsWith(PATHS.video);
}

/** The client must refuse the server. Not shown unless it uses the server of the scenario `happy`. */
function refusesServer(run: ClientRun, runs: readonly ClientRun[]): Omit<Observation, 'scenario'> | undefined {
  if (run.calls.length === 0 || !happyRunUsesServer(runs)) return undefined;
  const call = run.calls.find(usesServer) ?? null;
  if (call !== null) return { call, problem: 'the client uses the server' };
  return { call, problem: run.accepted === true ? 'the client says that it is a Loops server' : null };
}

function inScenarios(names: readonly string[], judge: Parameters<typeof eachRun>[0]): Judge {
  return eachRun((run, runs) => (names.includes(run.scenario) ? judge(run, runs) : undefined));
}

/** The targets of the NodeInfo links that the client was given; undefined when it did not request them. */
function linksOf({ calls, url }: ClientRun): { call: Call; wanted: string | undefined; others: string[] } | undefined {
  const call = calls.find((one) => isTo(one, 'GET', PATHS.discovery) && one.status === 200);
  if (call === undefined) return undefined;
  const { links } = JSON.parse(call.answer ?? '') as { links: { rel: string; href: string }[] };
  const targets = links.map(({ rel, href }) => ({ rel, target: href.slice(url.length) }));
  const isWanted = ({ rel }: { rel: string }) => rel.endsWith('/schema/2.0');
  return {
    call,
    wanted: targets.find(isWanted)?.target,
    others: targets.filter((one) => !isWanted(one)).map(({ target }) => target),
  };
}
