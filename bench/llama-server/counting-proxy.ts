import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { engineNow } from '../../runtime/clock.ts';

/** What llama-server says of one answer, and when it came. */
export interface Counted {
  readonly kind: 'warming' | 'answer';
  /** Tokens of the prompt that it had read before, and those that it read now. */
  readonly kept: number;
  readonly read: number;
  readonly written: number;
  /** Ms from the request to the first piece of the answer, and to its end. */
  readonly firstMs: number;
  readonly wholeMs: number;
}

export interface CountingProxy {
  readonly url: string;
  readonly counted: readonly Counted[];
  close(): void;
}

interface Timings {
  readonly cache_n: number;
  readonly prompt_n: number;
  readonly predicted_n: number;
}

/** Passes everything on to a llama-server, and keeps the counts that it ends its answers with. */
export async function countingProxy(target: string): Promise<CountingProxy> {
  const counted: Counted[] = [];
  const server = createServer((incoming, outgoing) => void pass(target, incoming, outgoing, counted));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counted,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse, counted: Counted[]) {
  const began = engineNow();
  const { method, headers, url } = incoming;
  const upstream = ask(target + url, { method: method!, headers });
  incoming.pipe(upstream);
  outgoing.on('close', () => upstream.destroy());
  upstream.on('error', () => outgoing.destroy());
  // Whoever asked may have gone away: an answer that is begun before the end of a sentence is often given up.
  const response = await once(upstream, 'response').catch(() => null);
  if (response === null) return;
  const [answer] = response as [IncomingMessage];
  outgoing.writeHead(answer.statusCode!, answer.headers);
  let text = '';
  let firstMs = 0;
  answer.on('data', (piece: Buffer) => {
    text += piece.toString();
    // The first piece of a stream says only who speaks.
    if (firstMs === 0 && /"content":"|"timings"/u.test(text)) firstMs = engineNow() - began;
  });
  answer.pipe(outgoing);
  if ((await once(answer, 'end').catch(() => null)) === null) return;
  const timings = /"timings":(\{[^}]*\})/u.exec(text)?.[1];
  if (timings === undefined) return;
  const { cache_n: kept, prompt_n: read, predicted_n: written } = JSON.parse(timings) as Timings;
  const kind = text.startsWith('{') ? 'warming' : 'answer';
  counted.push({ kind, kept, read, written, firstMs, wholeMs: engineNow() - began });
}
