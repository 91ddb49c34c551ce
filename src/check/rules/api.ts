import type { Rule } from '../rule.ts';
import { apiDebug } from './api/api-debug.ts';
import { apiRateLimit } from './api/api-rate-limit.ts';
import { apiSelf } from './api/api-self.ts';
import { apiServerErrors } from './api/api-server-errors.ts';
import { apiUnknownPage } from './api/api-unknown-page.ts';
import { apiUnknownRoute } from './api/api-unknown-route.ts';
import { apiUnknownVideo } from './api/api-unknown-video.ts';
import { apiWholeAnswers } from './api/api-whole-answers.ts';

/** The rules of the API, in the order of a report. */
export const apiRules: readonly Rule[] = [
  apiWholeAnswers,
  apiServerErrors,
  apiDebug,
  apiUnknownRoute,
  apiUnknownVideo,
  apiSelf,
  apiRateLimit,
  apiUnknownPage,
];
