import { describeAnswer, type Evidence, isSuccess, jsonObject, Undecided, valueAt } from '../evidence.ts';
import { type Answer, headerOf } from '../exchange.ts';
import type { ProbeId } from '../probes/probe-ids.ts';
import {
  answersJson,
  answersStatus,
  eachOf,
  hasJsonType,
  hasResource,
  type Judge,
  type Judgements,
  requireEndpoint,
  show,
} from './judge.ts';

/** The answer is successful and does not ask for credentials. */
function isPublic(...probes: readonly [ProbeId, ...ProbeId[]]): Judge {
  return eachOf(probes, (probe, evidence) => {
    const answer = evidence.answer(probe);
    const asks = [401, 403].includes(answer.status) || headerOf(answer, 'www-authenticate') !== undefined;
    if (asks) return `a request without a token is refused: ${describeAnswer(answer)}`;
    if (!isSuccess(answer)) throw new Undecided('skipped', `it has another problem: ${describeAnswer(answer)}`);
    return null;
  });
}

/** The answer has no account and no video. */
function givesNoResource(probe: ProbeId): Judge {
  return (evidence) => {
    const answer = evidence.answer(probe);
    if (answer.status >= 500) throw new Undecided('not shown', `the server failed: ${describeAnswer(answer)}`);
    return hasResource(answer) ? `the answer has an account or a video: ${describeAnswer(answer)}` : null;
  };
}

/** Like {@link givesNoResource}, but undecided if the server has no such endpoint. */
function existsAndGivesNoResource(probe: ProbeId): Judge {
  return (evidence, profile) => {
    requireEndpoint(evidence.answer(probe));
    return givesNoResource(probe)(evidence, profile);
  };
}

function atLeast(path: string, least: number): Judge {
  return (evidence) => {
    const value = evidence.number('config', path);
    return value >= least ? null : `it is ${value}`;
  };
}

function hasPage(answer: Answer): boolean {
  return /^text\/html/i.test(headerOf(answer, 'content-type') ?? '');
}

export const ENDPOINT_JUDGEMENTS: Judgements = {
  'endpoint.config': answersJson('config'),
  'endpoint.config.content-type': hasJsonType('config'),
  'endpoint.discovery': answersJson('discovery'),
  'endpoint.discovery.content-type': hasJsonType('discovery'),
  'endpoint.nodeinfo': answersJson('nodeinfo'),
  'endpoint.nodeinfo.content-type': hasJsonType('nodeinfo'),
  'endpoint.video': answersJson('video'),
  'endpoint.video.content-type': hasJsonType('video'),
  'endpoint.video.requested': (evidence) => {
    const id = evidence.field('video', 'id');
    return id === evidence.options.video ? null : `it is ${show(id)}`;
  },
  'endpoint.video.unknown': givesNoResource('video-unknown'),
  'endpoint.video.unknown.status': answersStatus('video-unknown', [404]),
  'endpoint.video.unknown.json': (evidence) => {
    const answer = evidence.answer('video-unknown');
    return jsonObject(answer) === null ? describeAnswer(answer) : null;
  },
  'endpoint.account': answersJson('account'),
  'endpoint.account.content-type': hasJsonType('account'),
  'endpoint.apps': answersJson('apps', [200, 201]),
  'endpoint.apps.content-type': hasJsonType('apps'),
  'endpoint.token.content-type': eachOf(['token', 'app-token'], (probe, evidence) =>
    hasJsonType(probe)(evidence, 'spec'),
  ),
  'endpoint.authorize': (evidence) => {
    const { answer, failure } = evidence.exchange('authorize');
    if (answer === null) return `there was no answer: ${failure}`;
    const redirect = evidence.redirect('authorize');
    if (redirect === null) {
      requireOperable(evidence, answer);
      return `it ended with ${describeAnswer(answer)}`;
    }
    const codes = redirect.searchParams.getAll('code').filter((code) => code !== '');
    return codes.length === 1 ? null : `the redirect has ${codes.length} codes that are not empty`;
  },
  'endpoint.revoke': (evidence) => {
    const answer = evidence.answer('revoke-empty');
    const isRedirect = answer.status >= 300 && answer.status < 400;
    return isRedirect || [404, 405].includes(answer.status) || (isSuccess(answer) && hasPage(answer))
      ? describeAnswer(answer)
      : null;
  },

  'public.config': isPublic('config'),
  'public.nodeinfo': isPublic('discovery', 'nodeinfo'),
  'public.video': isPublic('video'),
  'account.needs-token': existsAndGivesNoResource('account-without-token'),
  'account.needs-token.status': answersStatus('account-without-token', [401]),
  'account.needs-valid-token': existsAndGivesNoResource('account-unknown-token'),
  'account.needs-valid-token.status': answersStatus('account-unknown-token', [401]),

  'limits.max_video_size': atLeast('media.max_video_size', 0),
  'limits.max_video_size.megabytes': (evidence) => {
    const size = evidence.number('config', 'media.max_video_size');
    return size < 100_000 ? null : `it is ${size}`;
  },
  'limits.max_video_duration': atLeast('media.max_video_duration', 0),
  'limits.allowed_video_formats': (evidence) => {
    const formats = evidence.field('config', 'media.allowed_video_formats');
    return Array.isArray(formats) && formats.length > 0 && formats.every((format) => String(format).trim() !== '')
      ? null
      : `it is ${show(formats)}`;
  },
  'limits.max_bio_length': atLeast('account.max_bio_length', 0),

  'version.same': (evidence) => {
    const [config, nodeinfo] = [evidence.string('config', 'app.version'), versionIn(evidence)];
    return config === nodeinfo ? null : `the configuration says ${show(config)}, NodeInfo ${show(nodeinfo)}`;
  },
};

function versionIn(evidence: Evidence): string {
  const version = valueAt(evidence.json('nodeinfo'), 'software.version');
  if (typeof version !== 'string') throw new Undecided('skipped', 'software.version of NodeInfo is not a string');
  return version;
}

/** @throws {Undecided} when the sign-in failed, or the answer is a page that a program cannot operate. */
function requireOperable(evidence: Evidence, answer: Answer): void {
  if (evidence.signInProblem !== null) throw new Undecided('skipped', evidence.signInProblem);
  if (!isSuccess(answer) || !hasPage(answer)) return;
  const cure = '--approve-button names its button, and --token replaces the sign-in';
  throw new Undecided('skipped', `the page has no button that is known to approve: ${cure}`);
}
