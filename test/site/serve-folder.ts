import { createReadStream, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { serveHttp } from '../serve-http.ts';

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
  const server = await serveHttp((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    const file = path.startsWith(prefix) ? fileAt(join(folder, normalize(path.slice(prefix.length)))) : null;
    if (file === null) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>Not found</title>');
      return;
    }
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return { ...server, url: server.url + prefix };
}

function fileAt(path: string): string | null {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory()) return fileAt(join(path, 'index.html'));
  return status === undefined ? null : path;
}
