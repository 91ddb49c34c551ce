import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

test.each([
  [503, { status: 'failing', problems: ['The export failed.'] }, 'failing\nThe export failed.\n', /^$/],
  [200, { status: 'ok' }, 'ok\n', /^$/],
  [500, { status: 500, title: 'Internal Server Error' }, '', /failed to read its health \(HTTP 500\); its log has/],
])('health reports the state of a service that answers with status %i', async (status, body, output, message) => {
  const server = createServer((_request, response) => response.writeHead(status).end(JSON.stringify(body)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, stdout, stderr } = await runCommand(['health', '--set', `serve.port=${port}`], import.meta.dirname);
  server.close();
  expect([code, stdout]).toEqual([status === 200 ? 0 : 1, output]);
  expect(stderr).toMatch(message);
});
