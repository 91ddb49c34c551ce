import { type Answer, NEVER, problemAnswer } from '../answers/answer.ts';
import { ProblemError } from '../answers/problem-error.ts';
import { PREFLIGHT } from './common-headers.ts';

const ALLOW = 'GET, HEAD, OPTIONS';
const ALLOW_POST = 'POST, OPTIONS';

/** Answers what no route is for: a method that is not GET or HEAD, or a path that there is not. */
export function createStrangerAnswer(
  paths: readonly { path: string; method?: 'get' | 'post' }[],
): (method: string, url: string) => Answer {
  const known = paths
    .filter(({ method }) => method !== 'post')
    .map(({ path }) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`));
  const posted = new Set(paths.filter(({ method }) => method === 'post').map(({ path }) => path));
  const notFound = problemAnswer(new ProblemError(404, 'There is nothing at this path; /api tells what there is.'));
  const notAllowed = problemAnswer(
    new ProblemError(405, 'This is read, with GET or HEAD; it cannot be written.', { allow: ALLOW }),
  );
  const options: Answer = {
    status: 204,
    type: 'text/plain',
    body: Buffer.alloc(0),
    cacheControl: NEVER,
    tag: null,
    datedBytes: 0,
    headers: ['allow', ALLOW, ...PREFLIGHT],
  };
  const onlyPosted = problemAnswer(
    new ProblemError(405, 'This is written to, with POST; there is nothing to be read.', { allow: ALLOW_POST }),
  );
  // No page of another origin is let write: nothing is said of origins.
  const postedOptions: Answer = { ...options, headers: ['allow', ALLOW_POST] };
  return (method, url) => {
    const [path = ''] = url.split('?', 1);
    if (posted.has(path)) return method === 'OPTIONS' ? postedOptions : onlyPosted;
    if (method === 'GET' || method === 'HEAD' || !known.some((one) => one.test(path))) return notFound;
    return method === 'OPTIONS' ? options : notAllowed;
  };
}
