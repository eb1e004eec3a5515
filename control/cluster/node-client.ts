import {
  Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type RequestOptions,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import type { Timers } from '../../runtime/clock.ts';
import type { NodeAddresses } from './node-addresses.ts';

/** What another node answered. */
export interface NodeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A connection to another node after `Upgrade`, or the answer of a node that refused. */
export type NodeUpgrade =
  | { readonly kind: 'open'; readonly headers: IncomingHttpHeaders; readonly socket: Duplex; readonly head: Buffer }
  | { readonly kind: 'refused'; readonly answer: NodeAnswer };

export interface NodeRequest {
  /** Signed, as the registry has it. */
  readonly url: string;
  readonly method: string;
  /** As a client sent it, with the query: it decides nothing about where the request goes. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The other node cannot be reached, or does not answer. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable';
}

/** Whether the other machine lives and nobody listens there: the process is gone. */
export function isRefused(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' || (error instanceof NodeUnreachable && isRefused(error.cause ?? {}));
}

/** Nodes are in one network: one that does not take a connection within this time is gone, ms. */
const CONNECT_MS = 1500;
/** Clients give up after 10 s. */
const ANSWER_MS = 9000;
/** Answers that are forwarded are smaller: the largest one is a picture of a meeting. */
const MAX_ANSWER_SIZE = 4 * 1024 * 1024;

/** Sends requests to other nodes. */
export class NodeClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #timers: Timers;
  readonly #addresses: Pick<NodeAddresses, 'read'>;

  constructor(timers: Timers, addresses: Pick<NodeAddresses, 'read'>) {
    this.#timers = timers;
    this.#addresses = addresses;
  }

  /** @throws NodeUnreachable */
  async send(request: NodeRequest): Promise<NodeAnswer> {
    const answer = await this.#open(request);
    if (answer.kind === 'refused') return answer.answer;
    answer.socket.destroy();
    throw new NodeUnreachable('a node answered with an upgrade that nobody asked for');
  }

  /** @throws NodeUnreachable */
  upgrade(request: NodeRequest): Promise<NodeUpgrade> {
    return this.#open({ ...request, headers: { ...request.headers, connection: 'Upgrade' } });
  }

  /**
   * Sends a request whose body comes as it is read. @returns the answer, whose body is not read yet.
   * @throws NodeUnreachable
   */
  async stream({ url, method, path, headers }: NodeRequest, body: IncomingMessage): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = openRequest({ ...this.#at(url, path), method, headers, agent: this.#agent });
    const stopWaiting = this.#limitConnecting(sent);
    sent.once('error', (error) => {
      body.unpipe(sent);
      reject(new NodeUnreachable(error.message, { cause: error }));
    });
    sent.once('response', resolve);
    // The client has gone: nobody wants the answer. Its connection may carry many requests.
    const gone = (): void => void sent.destroy();
    body.socket.once('close', gone);
    sent.once('close', () => body.socket.off('close', gone));
    body.pipe(sent);
    return promise.finally(stopWaiting);
  }

  /**
   * Whether the process of a node lives. @param withinMs how long it has to answer. Never rejects.
   * @returns `refused`: its machine says that nobody listens there. `silent`: nothing is known but that.
   */
  async probe(url: string, withinMs: number): Promise<'answers' | 'refused' | 'silent'> {
    if (this.#addresses.read(url) === null) return 'silent';
    const { promise, resolve } = Promise.withResolvers<'answers' | 'refused' | 'silent'>();
    // A connection of its own: one that stays open from before says nothing about who listens now.
    const sent = openRequest({ ...this.#at(url, '/healthz'), agent: false });
    const tooLate = this.#timers.setTimeout(() => resolve('silent'), withinMs);
    sent.once('response', () => resolve('answers'));
    sent.on('error', (error) => resolve(isRefused(error) ? 'refused' : 'silent'));
    sent.end();
    return promise.finally(() => {
      this.#timers.clearTimeout(tooLate);
      sent.destroy();
    });
  }

  close(): void {
    this.#agent.destroy();
  }

  /**
   * Host and port are the node's own. A client's request target may name a host, too (`http://…`, `//…`), and resolving it
   * against the node's URL would send the signed request there.
   */
  #at(address: string, path: string): Pick<RequestOptions, 'hostname' | 'port' | 'path'> {
    const url = this.#addresses.read(address);
    if (url === null) throw new NodeUnreachable('its address in Redis is signed by no node of this deployment');
    const { hostname, port } = urlToHttpOptions(new URL(url));
    return { hostname, port, path };
  }

  async #open({ url, method, path, headers, body }: NodeRequest): Promise<NodeUpgrade> {
    const { promise, resolve, reject } = Promise.withResolvers<NodeUpgrade>();
    const sent = openRequest({
      ...this.#at(url, path),
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
      agent: this.#agent,
    });
    const fail = (why: string): void => void sent.destroy(new Error(why));
    const answering = this.#timers.setTimeout(() => fail('it did not answer in time'), ANSWER_MS);
    const stopWaiting = this.#limitConnecting(sent);
    sent.once('error', (error) => reject(new NodeUnreachable(error.message, { cause: error })));
    sent.once('upgrade', ({ headers: told }, socket, head) => resolve({ kind: 'open', headers: told, socket, head }));
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > MAX_ANSWER_SIZE) fail('its answer is too large');
      });
      response.once('error', (error) => reject(new NodeUnreachable(error.message, { cause: error })));
      response.once('end', () => {
        const answer = { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) };
        resolve({ kind: 'refused', answer });
      });
    });
    sent.end(body);
    return promise.finally(() => {
      this.#timers.clearTimeout(answering);
      stopWaiting();
    });
  }

  /** @returns ends the waiting. */
  #limitConnecting(sent: ClientRequest): () => void {
    let connecting: unknown;
    const stopWaiting = (): void => this.#timers.clearTimeout(connecting);
    sent.once('socket', (socket) => {
      if (!socket.connecting) return;
      connecting = this.#timers.setTimeout(
        () => sent.destroy(new Error('it did not take the connection in time')),
        CONNECT_MS,
      );
      socket.once('connect', stopWaiting);
    });
    return stopWaiting;
  }
}
