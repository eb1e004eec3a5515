import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A busy machine takes a while to read what came before the end: 50 ms were too few at a load of 13. */
const HELD_MS = 1_000;

export interface FileServer {
  readonly url: string;
  /** The path and range of each request, `whole` for none. */
  readonly asked: readonly string[];
  /** The next request for a file is cut off after so many bytes. */
  breakOffAfter(bytes: number): void;
  close(): Promise<void>;
}

/** Serves bytes by name over HTTP, as those who publish models do: with ranges. */
export async function serveFiles(files: Readonly<Record<string, Buffer>>): Promise<FileServer> {
  const asked: string[] = [];
  let cut: number | null = null;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const name = (request.url ?? '/').slice(1);
    asked.push(`${name} ${request.headers.range ?? 'whole'}`);
    const content = files[name];
    if (content === undefined) return void response.writeHead(404).end();
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': content.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
    });
    if (cut === null) return void response.end(content.subarray(from));
    const most = cut;
    cut = null;
    response.write(content.subarray(from, most), () => setTimeout(() => request.socket.destroy(), HELD_MS));
  };
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    breakOffAfter: (bytes) => (cut = bytes),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
