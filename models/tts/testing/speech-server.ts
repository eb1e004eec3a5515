import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Record<string, unknown>;
}

/** A speech service on this machine: answers as told and keeps what it was asked. */
export async function startSpeechServer(
  answer: (response: ServerResponse, seen: SeenRequest) => void | Promise<void>,
): Promise<{ url: string; seen: SeenRequest[]; close(): Promise<void> }> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const asked = {
      method: request.method!,
      url: request.url!,
      headers: request.headers,
      body: JSON.parse(text) as Record<string, unknown>,
    };
    seen.push(asked);
    await answer(response, asked);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** 16-bit little-endian samples as bytes. */
export function pcmBytes(samples: readonly number[]): Buffer {
  return Buffer.from(Int16Array.from(samples).buffer);
}
