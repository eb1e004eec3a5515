import { createServer, type Server } from 'node:http';
import { freePort } from '../../../../runtime/testing/free-port.ts';

export interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly body: string;
}

/** A receiver of events that can be away, and be back at the same address. */
export class Receiver {
  readonly received: Received[] = [];
  /** What it answers. */
  status = 204;
  #server: Server | null = null;
  /** The system could give it to another program while the receiver is away. */
  #port: number | null = null;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/events`;
  }

  async open(): Promise<void> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => (body += part));
      request.on('end', () => {
        const header = (name: string): string => String(request.headers[`webhook-${name}`]);
        if (this.status < 300)
          this.received.push({
            id: header('id'),
            timestamp: header('timestamp'),
            signature: header('signature'),
            body,
          });
        response.writeHead(this.status).end();
      });
    });
    this.#server = server;
    const port = (this.#port ??= await freePort());
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  }

  async goAway(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
