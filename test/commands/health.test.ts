import { expect, test } from 'vitest';
import { serveHttp } from '../serve-http.ts';
import { runCommand } from './run-command.ts';

test.each([
  [503, { status: 'failing', problems: ['The export failed.'] }, 'failing\nThe export failed.\n', /^$/],
  [200, { status: 'ok' }, 'ok\n', /^$/],
  [500, { status: 500, title: 'Internal Server Error' }, '', /failed to read its health \(HTTP 500\); its log has/],
])('health reports the state of a service that answers with status %i', async (status, body, output, message) => {
  await using server = await serveHttp((_, response) => response.writeHead(status).end(JSON.stringify(body)));
  const setting = `serve.port=${server.port}`;
  const { code, stdout, stderr } = await runCommand(['health', '--set', setting], import.meta.dirname);
  expect([code, stdout]).toEqual([status === 200 ? 0 : 1, output]);
  expect(stderr).toMatch(message);
});
