import { expect, it } from 'vitest';
import { explainStep } from '../../src/explain/words.ts';
import { REASONS } from '../../src/model/reason.ts';
import type { Step } from '../../src/model/step.ts';
import { step } from './past.ts';

const config = 'https://loops.example.org/api/v1/config';

it.each<[what: string, step: Step, expectedCame: string]>([
  ['a name that resolves', step('dns', 'loops.example.org'), 'found'],
  ['a nonexistent name', step('dns', 'loops.example.org', { failure: 'dns-nxdomain' }), REASONS['dns-nxdomain'].means],
  ['an answer', step('config', config, { status: 200, bytes: 900 }), 'answered (200, 900 bytes)'],
  ['a missing document', step('config', config, { status: 404 }), 'there is none (404)'],
  ['a refusal', step('config', config, { status: 403 }), 'access denied (403)'],
  ['410', step('config', config, { status: 410 }), 'gone for good (410)'],
  ['429', step('config', config, { status: 429 }), 'too many requests, come back later (429)'],
  ['a server error', step('robots', config, { status: 503 }), 'server error (503)'],
  ['a missing robots.txt', step('robots', config, { status: 404 }), 'there is none, so all is allowed (404)'],
  [
    'a redirect',
    step('config', config, { status: 301, code: 'redirect-elsewhere', note: 'redirects to b.example.org' }),
    'redirects to b.example.org (301)',
  ],
  [
    'a page',
    step('config', config, {
      status: 403,
      bytes: 5_000,
      code: 'challenge-page',
      note: 'a challenge page of Anubis, not a document',
    }),
    'a challenge page of Anubis, not a document (403)',
  ],
  [
    'the page of a web app',
    step('discovery', config, { status: 200, code: 'web-app', note: 'the page of a web app, not a document' }),
    'the page of a web app, not a document (200)',
  ],
  [
    'a failure with its detail',
    step('config', config, { failure: 'tls-expired', note: 'it ended on 2026-01-01' }),
    `${REASONS['tls-expired'].means}: it ended on 2026-01-01`,
  ],
  [
    'a request that robots.txt forbids',
    step('config', config, { code: 'forbidden-to-all', note: 'not requested: robots.txt forbids it to everyone' }),
    'not requested: robots.txt forbids it to everyone',
  ],
  [
    'a cached robots.txt',
    step('robots', config, { code: 'robots-cached', note: 'not requested: read less than a day ago' }),
    'not requested: read less than a day ago',
  ],
])('explainStep describes %s', (_what, given, expectedCame) => {
  expect(explainStep(given)).toMatchObject({ ...given, came: expectedCame });
});
