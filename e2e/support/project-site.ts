import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { serveOnLoopback } from './loopback-server.ts';

export interface ProjectSite {
  readonly url: string;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
};

/**
 * The web site of somebody who uses the client: a page with one module, which imports installed packages, and a server
 * that hands out session tokens at `/session-token`.
 * @param project its folder. @param site.module JavaScript; left out: the site consists of the project's own files.
 */
export async function serveProject(
  project: string,
  site: { readonly module?: string; readonly body?: string; readonly sessionToken: () => Promise<string> },
): Promise<ProjectSite> {
  const page = `<!doctype html><meta charset="utf-8"><title>Site</title>
<script type="importmap">{"imports":{"@parley/client":"/node_modules/@parley/client/dist/client.mjs"}}</script>
${site.body ?? ''}<script type="module" src="/main.js"></script>`;

  async function answer(path: string, response: ServerResponse): Promise<void> {
    const send = (type: string, content: string | Buffer): void => {
      response.setHeader('content-type', type).end(content);
    };
    if (path === '/session-token')
      return send('application/json', JSON.stringify({ sessionToken: await site.sessionToken() }));
    if (site.module !== undefined && path === '/') return send('text/html; charset=utf-8', page);
    if (site.module !== undefined && path === '/main.js') return send('text/javascript', site.module);
    const file = path === '/' ? '/index.html' : normalize(path);
    send(TYPES[extname(file)] ?? 'application/octet-stream', await readFile(join(project, file)));
  }

  const { port, close } = await serveOnLoopback((request, response) => {
    answer((request.url ?? '/').split('?')[0]!, response).catch(() => response.writeHead(404).end());
  });
  return { url: `http://127.0.0.1:${port}/`, close };
}
