import { expect } from 'vitest';
import { type App, createSubmissionVisitor } from '../../src/app/app.ts';
import { createSubmissions, type Submissions } from '../../src/service/submissions.ts';

/** The submissions of an app, as `run` opens them. An error fails the test. */
export function openSubmissions(app: App): Submissions {
  return createSubmissions({
    open: (restrict) => createSubmissionVisitor(app, restrict),
    limit: app.hourlyLimit,
    reader: app.store.reader(),
    onError: (error) => expect.unreachable(String(error)),
    answerWithinMs: 10_000,
    now: Date.now,
  });
}
