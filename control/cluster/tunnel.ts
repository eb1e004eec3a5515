import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Logger } from '../../runtime/log.ts';
import type { OfferedSocket } from '../../engine/ports.ts';
import { pickHeaders } from './pick-headers.ts';
import { closeFrame, FrameBoundary } from './frame-boundary.ts';
import type { InternalClaims } from './internal-requests.ts';
import { type NodeAnswer, type NodeClient, NodeUnreachable } from './node-client.ts';
import type { EngineNode } from '../placement/engine-registry.ts';

/** @returns the header with which the node of an address believes a request. */
type SignRequest = (claims: InternalClaims, address: string) => Record<string, string>;

/** What the owner's engine decides by. */
const FORWARDED_HEADERS = [
  'origin',
  'user-agent',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-protocol',
  'upgrade',
] as const;
/** The engine pings each client every 5 s: when nothing comes for so long, its machine is gone, ms. */
const SILENT_MS = 20_000;
/** A client that was told the end answers within a round trip; one that does not is not waited for, ms. */
const GOODBYE_MS = 1_000;
/** Clients come back after this one: the engine may be starting again. */
const RESTART = [1012, 'Service restart'] as const;

/**
 * Passes a client's WebSocket on to the node that has its session, byte by byte: whoever reads too slowly makes the other
 * side wait. When that node is gone, the client gets the close code of a restart.
 */
export class Tunnel {
  readonly #client: NodeClient;
  readonly #sign: SignRequest;
  readonly #log: Logger;
  readonly #broke: (owner: EngineNode) => void;
  readonly #open = new Map<Duplex, { readonly engineId: string; readonly sessionId: string }>();
  readonly #refusing = new WebSocketServer({ noServer: true, perMessageDeflate: false });

  /** @param broke called when the engine's side of an open socket ended without a word. */
  constructor(client: NodeClient, sign: SignRequest, log: Logger, broke: (owner: EngineNode) => void = () => {}) {
    this.#client = client;
    this.#broke = broke;
    this.#sign = sign;
    this.#log = log;
  }

  /** Sockets that are forwarded now. */
  get size(): number {
    return this.#open.size;
  }

  /**
   * Passes a socket of a session on, or tells it what the owner answers. Never rejects.
   * @param passAnswerOn whether an answer is the client's. @defaultValue any is
   * @returns `open`: or the client has gone. `refused`: the client has its answer. `absent`, `unreachable`: the socket
   * is as it was.
   */
  async connect(
    sessionId: string,
    offered: OfferedSocket,
    owner: EngineNode,
    passAnswerOn: (status: number) => boolean = () => true,
  ): Promise<'open' | 'refused' | 'absent' | { readonly unreachable: unknown }> {
    const { request, socket, head } = offered;
    const path = request.url ?? '/';
    const headers = {
      ...this.#sign({ method: 'GET', path }, owner.url),
      ...pickHeaders(request.headers, FORWARDED_HEADERS),
    };
    try {
      const upgraded = await this.#client.upgrade({ url: owner.url, method: 'GET', path, headers });
      if (upgraded.kind === 'refused') {
        if (!passAnswerOn(upgraded.answer.status)) return 'absent';
        refuse(socket, upgraded.answer);
        return 'refused';
      }
      if (socket.destroyed) {
        upgraded.socket.destroy();
        return 'open';
      }
      socket.write(headOf(101, upgraded.headers));
      this.#open.set(upgraded.socket, { engineId: owner.engineId, sessionId });
      this.#join(socket, head, upgraded.socket as Socket, upgraded.head, owner);
      return 'open';
    } catch (error) {
      if (!(error instanceof NodeUnreachable)) this.#log.error({ err: error }, 'a socket could not be forwarded');
      this.#log.warn({ engineId: owner.engineId, problem: String(error) }, 'the engine of a session is not reached');
      return { unreachable: error };
    }
  }

  /** The client is told to come back later. */
  sendBack({ request, socket, head }: OfferedSocket): void {
    this.#refusing.handleUpgrade(request, socket, head, (ws) => ws.close(...RESTART));
  }

  /** Engines with the sessions whose sockets this node forwards to them. */
  sessions(): ReadonlyMap<string, ReadonlySet<string>> {
    const sessions = new Map<string, Set<string>>();
    for (const { engineId, sessionId } of this.#open.values())
      sessions.set(engineId, (sessions.get(engineId) ?? new Set()).add(sessionId));
    return sessions;
  }

  /** This engine has these sessions no more, and does not say so: their clients come back at once. */
  abandon(engineId: string, sessionIds: ReadonlySet<string>): void {
    for (const [socket, of] of this.#open)
      if (of.engineId === engineId && sessionIds.has(of.sessionId)) socket.destroy();
  }

  /** Ends what is still open, so that clients come back through another node. */
  close(): void {
    for (const socket of this.#open.keys()) socket.destroy();
  }

  #join(client: Duplex, fromClient: Buffer, engine: Socket, fromEngine: Buffer, owner: EngineNode): void {
    const frames = new FrameBoundary();
    const forward = (chunk: Buffer): void => {
      frames.take(chunk);
      if (!client.write(chunk)) engine.pause();
    };
    engine.setNoDelay(true);
    engine.setTimeout(SILENT_MS, () => engine.destroy());
    if (fromClient.length > 0) engine.write(fromClient);
    if (fromEngine.length > 0) forward(fromEngine);
    engine.on('data', forward);
    client.on('drain', () => engine.resume());
    client.pipe(engine);
    client.on('error', () => client.destroy());
    client.once('close', () => engine.destroy());
    engine.on('error', () => engine.destroy());
    engine.once('end', () => this.#end(client, frames));
    engine.once('close', () => {
      this.#open.delete(engine);
      if (frames.mayClose && !client.writableEnded && !client.destroyed) this.#broke(owner);
      this.#end(client, frames);
      readToEnd(client as Socket);
    });
  }

  /** The engine's side is over. */
  #end(client: Duplex, frames: FrameBoundary): void {
    if (client.writableEnded || client.destroyed) return;
    client.end(frames.mayClose ? closeFrame(...RESTART) : undefined);
  }
}

/** Nobody reads from a client whose engine is gone: its end would never be seen, and its socket stay for ever. */
function readToEnd(client: Socket): void {
  client.resume();
  client.setTimeout(GOODBYE_MS, () => client.destroy());
}

function headOf(status: number, headers: NodeAnswer['headers']): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function refuse(socket: Duplex, { status, headers, body }: NodeAnswer): void {
  const { 'content-type': type } = headers;
  const head = headOf(status, {
    ...(type !== undefined && { 'content-type': type }),
    'content-length': String(body.length),
    connection: 'close',
  });
  socket.end(Buffer.concat([Buffer.from(head), body]));
}
