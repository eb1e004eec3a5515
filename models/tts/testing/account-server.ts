import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AccountRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Null where it was no form. */
  readonly form: FormData | null;
}

export interface AccountServer {
  readonly url: string;
  readonly seen: AccountRequest[];
  /** Connections end without an answer until `up`. */
  down(): void;
  up(): void;
  close(): Promise<void>;
}

/** The account of a TTS service on this machine: answers as told, and keeps what it was asked. */
export async function startAccountServer(
  answer: (request: AccountRequest, response: ServerResponse) => void,
): Promise<AccountServer> {
  const seen: AccountRequest[] = [];
  let isDown = false;
  const server = createServer(async (request, response) => {
    if (isDown) {
      request.socket.destroy();
      return;
    }
    const body = Buffer.concat(await request.toArray());
    const type = request.headers['content-type'] ?? '';
    const url = new URL(request.url ?? '/', 'http://service');
    const asked: AccountRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      form: type.startsWith('multipart/form-data')
        ? await new Response(body, { headers: { 'content-type': type } }).formData()
        : null,
    };
    seen.push(asked);
    answer(asked, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    down: () => void (isDown = true),
    up: () => void (isDown = false),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
