import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.atom': 'application/atom+xml',
  '.xml': 'application/xml',
};

/** A plain file server, like that of a web host: it ignores queries and sends `index.html` for a folder. */
export async function serveFolder(folder: string, prefix = ''): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    const file = path.startsWith(prefix) ? fileAt(join(folder, normalize(path.slice(prefix.length)))) : null;
    if (file === null) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>Not found</title>');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function fileAt(path: string): string | null {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory()) return fileAt(join(path, 'index.html'));
  return status === undefined ? null : path;
}
