import { type ClientClause, LEVELS, type Level } from '../clauses/clause.ts';
import { CLIENT_CLAUSES } from '../clauses/client.ts';
import { type Call, type ClientRun, isTo, PATHS } from './call.ts';
import { IDENTIFICATION_JUDGES } from './identification-judges.ts';
import { eachCall, eachRun, type Judge, type Observation } from './judge.ts';
import { OAUTH_JUDGES } from './oauth-judges.ts';

/** What a client may do after an answer that differs on live servers. */
const STEPS: Readonly<Record<string, (call: Call) => boolean>> = {
  'reads the account': ({ path }) => path === PATHS.account,
  'reads a video': isVideo,
  'plays the video': ({ path }) => path.endsWith('.mp4'),
  'shows the thumbnail': ({ path }) => /^\/media\/videos\/.*\.svg$/.test(path),
  'signs out': (call) => isTo(call, 'POST', PATHS.revoke),
};

/** The judges of the clauses about videos, and about the answers of live servers. */
const LIVE_JUDGES: Readonly<Record<string, Judge>> = {
  'client.video.id': eachCall(
    ({ calls }) => calls.filter(isVideo),
    ({ path }) => (/^\d+$/.test(path.slice(PATHS.video.length)) ? null : 'the id is not a decimal number'),
  ),
  'client.live.token': goesOn('live-token', (call) => isTo(call, 'POST', PATHS.token)),
  'client.live.video': goesOn('live-video', isVideo),
  'client.live.author': goesOn('gone-author', isVideo),
  'client.live.source': goesOn('no-source', isVideo, ['plays the video']),
};

/** A request for one video; longer paths are about its comments and the like. */
function isVideo({ method, path }: Call): boolean {
  return method === 'GET' && path.startsWith(PATHS.video) && !path.slice(PATHS.video.length).includes('/');
}

/**
 * After the answer that differs, the client takes the same steps as in the scenario `happy`, apart from the impossible ones. Not shown
 * when it takes none there.
 */
function goesOn(scenario: string, isChanged: (call: Call) => boolean, impossible: readonly string[] = []): Judge {
  return eachRun((run, runs) => {
    const happy = runs.find((one) => one.scenario === 'happy');
    const call = run.calls.find(isChanged);
    if (run.scenario !== scenario || happy === undefined || call === undefined) return undefined;
    const made = run.calls.find(({ path }) => /\/(?:null|undefined)$/.test(path));
    if (made !== undefined) return { call: made, problem: 'this is not an address that the server gave' };
    const wanted = stepsAfter(happy, isChanged).filter((step) => !impossible.includes(step));
    const missing = wanted.filter((step) => !stepsAfter(run, isChanged).includes(step));
    const gaveUp = happy.accepted === true && run.accepted === false;
    if (missing.length === 0 && !gaveUp)
      return wanted.length === 0 && run.accepted !== true ? undefined : { call, problem: null };
    const what = missing.length === 0 ? 'says that it cannot use the server' : `no longer ${missing.join(', ')}`;
    return { call, problem: `after this answer, the client ${what}, unlike in the scenario happy` };
  });
}

function stepsAfter({ calls }: ClientRun, isChanged: (call: Call) => boolean): string[] {
  const later = calls.slice(calls.findIndex(isChanged) + 1);
  return Object.keys(STEPS).filter((step) => later.some((call) => STEPS[step]?.(call)));
}

/** The judge of every client clause. */
export const CLIENT_JUDGES: Readonly<Record<string, Judge>> = {
  ...IDENTIFICATION_JUDGES,
  ...OAUTH_JUDGES,
  ...LIVE_JUDGES,
};

export interface ClientResult {
  clause: ClientClause;
  /** `not shown`: no request of the client bears on the clause. */
  verdict: 'pass' | 'fail' | 'warning' | 'not shown';
  /** The occasions on which the client broke the clause. */
  broken: (Observation & { problem: string })[];
}

/**
 * Judges what a client sent in the scenarios that were played.
 * @param level the lowest level whose violations are failures.
 */
export function judgeClient(
  runs: readonly ClientRun[],
  clauses: readonly ClientClause[] = CLIENT_CLAUSES,
  level: Level = 'must',
): ClientResult[] {
  return clauses.map((clause) => {
    const observations = CLIENT_JUDGES[clause.id]?.(runs) ?? [];
    const broken = observations.flatMap((one) => (one.problem === null ? [] : [{ ...one, problem: one.problem }]));
    const verdictIfBroken = LEVELS.indexOf(clause.level) <= LEVELS.indexOf(level) ? 'fail' : 'warning';
    const verdict = broken.length > 0 ? verdictIfBroken : observations.length > 0 ? 'pass' : 'not shown';
    return { clause, verdict, broken };
  });
}
