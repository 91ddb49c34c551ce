import { answerWords, isHtml } from '../answers.ts';
import { documentOf, valueAt } from '../documents/document.ts';
import type { CheckExchange } from '../evidence.ts';
import { fail, listItems, pass, type Rule, showText, showValue, warn } from '../rule.ts';
import { isLoops } from '../server-state.ts';
import { appVersionIn } from '../web-app-page.ts';

/** Whether a file is missing: an error of the client, or the web app's page instead of it. Other rules report other failures. */
function isMissing(exchange: CheckExchange): boolean {
  const { status, failure } = exchange;
  if (failure !== null || status === null) return false;
  return status === 403 || status === 404 || status === 410 || (status === 200 && isHtml(exchange));
}

export const httpStorage: Rule = {
  id: 'http-storage',
  worst: 'warn',
  cureFor: 'loops',
  title: 'Uploaded files can be loaded',
  checks:
    'Requests `/storage/avatars/default.jpg`, a picture that Loops ships. Warns for 403, 404, 410 and for a page instead of it.',
  why: 'Loops stores avatars, and without object storage videos too, under `/storage/`. If this picture is missing, so are they.',
  sources: ['https://laravel.com/docs/filesystem#the-public-disk'],
  cure: 'Create the link from `public/storage` to the stored files, and let the web server follow it:\n\n    php artisan storage:link\n    ls -l public/storage storage/app/public/avatars/default.jpg',
  judge(evidence) {
    const { storage } = evidence.answers;
    if (storage === null || !isLoops(evidence) || storage.failure !== null) return null;
    if (isMissing(storage)) return warn(`/storage/avatars/default.jpg gives ${answerWords(storage)}.`);
    return storage.status === 200 ? pass('The default avatar is there.') : null;
  },
};

export const httpWebApp: Rule = {
  id: 'http-web-app',
  worst: 'fail',
  cureFor: 'loops',
  title: 'The web app is complete, and of the version of the server',
  checks:
    'Requests the first script and the first style sheet that the home page loads from its own host. Fails when one is missing or is a page. Warns when `app_version` in the home page is another version than that of config.',
  why: 'Without its script, the site is an empty page in every browser, although the API works. Another version comes from an old container or a cache: the web app and the API do not fit together.',
  sources: ['https://laravel.com/docs/vite'],
  cure: 'Build the web app of the installed release:\n\n    npm install\n    npm run build\n\nThen clear what is cached:\n\n    php artisan optimize:clear\n\nIn a container, pull and start the new image; behind a CDN, purge its cache once.',
  judge(evidence) {
    if (!isLoops(evidence)) return null;
    const { home, config, 'web-script': script, 'web-style': style } = evidence.answers;
    const files = [script, style].filter((each) => each !== null && each.failure === null) as CheckExchange[];
    const missing = files.filter(isMissing);
    if (missing.length > 0)
      return fail(
        `${listItems(missing.map((each) => `${showText(new URL(each.url).pathname)} gives ${answerWords(each)}`))}.`,
      );
    const shown = home === null || home.failure !== null ? null : appVersionIn(home);
    const reading = documentOf(config);
    const version = reading.kind === 'object' ? valueAt(reading.document, 'app.version') : undefined;
    if (shown !== null && typeof version === 'string' && shown !== version)
      return warn(`The home page is of version ${showValue(shown)}, config of ${showValue(version)}.`);
    return files.length === 0 && shown === null ? null : pass('Its files are there.');
  },
};

/** Answers that show that the announced size was no reason to refuse: 100 Continue, or the application asks for a token or finds no video. */
const SIZE_ACCEPTED: ReadonlySet<number | null> = new Set([100, 401, 403, 404, 405, 419, 422]);

const uploadCureFor = (megabytes: number) =>
  `In nginx, in the server block of the domain, then reload it:\n\n    client_max_body_size ${Math.ceil(megabytes * 1.1)}M;\n\nPHP has limits of its own, which this request does not reach. In \`php.ini\` (\`PHP_UPLOAD_MAX_FILE_SIZE\` in docker-compose.yml):\n\n    upload_max_filesize = ${Math.ceil(megabytes * 1.1)}M\n    post_max_size = ${Math.ceil(megabytes * 1.2)}M\n\nCloudflare accepts at most 100 MB in its free plan. If a limit cannot be raised, lower the upload limit in the admin settings of Loops.`;

export const httpUploadLimit: Rule = {
  id: 'http-upload-limit',
  worst: 'warn',
  cureFor: 'loops',
  title: 'The web server accepts videos of the permitted size',
  checks:
    'Sends the headers of `POST /api/v1/studio/upload` with `Content-Length` at `media.max_video_size` and `Expect: 100-continue`, without a token and without a body. Warns for 413. Only the command line sends it.',
  why: 'Apps compare the size of a video with `media.max_video_size`. A smaller limit of a proxy or web server ends the upload with an error that names no cause.',
  sources: ['RFC 9110 sections 10.1.1 and 15.5.14', 'Interface specification 2.5 and 8'],
  cure: uploadCureFor(100),
  judge(evidence) {
    const { upload } = evidence.answers;
    const megabytes = evidence.visit.facts?.limits.maxVideoSizeMB ?? null;
    if (upload === null || megabytes === null || !isLoops(evidence)) return null;
    // A connection may be closed behind the status, so its body does not count.
    if (upload.status === 413)
      return warn(
        `Config permits videos of ${megabytes} MB, but the announcement of one gives 413 Content Too Large.`,
        uploadCureFor(megabytes),
      );
    return upload.failure === null && SIZE_ACCEPTED.has(upload.status)
      ? pass(`Videos of ${megabytes} MB may be sent.`)
      : null;
  },
};
