import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Logger } from '../../engine/log.ts';
import type { OfferedSocket } from '../../engine/ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { DerivedKey } from '../access/master-key.ts';
import { chosenHeaders } from './chosen-headers.ts';
import { EngineLease, type EngineLeaseOptions } from './engine-lease.ts';
import type { EngineNode, EngineRegistry } from './engine-registry.ts';
import { INTERNAL_HEADER, type InternalClaims, InternalRequests } from './internal-requests.ts';
import { NodeClient, type NodeAnswer } from './node-client.ts';
import { Placement, type Reservation } from './placement.ts';
import { Tunnel } from './tunnel.ts';

export interface ClusterOptions {
  readonly registry: EngineRegistry;
  /** With which nodes sign what they tell each other, newest first. */
  readonly keys: readonly DerivedKey[];
  /** This node's engine; null: it has none. */
  readonly engine: Pick<EngineLeaseOptions, 'engine' | 'places'> | null;
  readonly timers: Timers;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

/** What only its first node knows of a request. */
export type PassedOnClient = NonNullable<InternalClaims['client']>;

/** Headers of a request that decide its answer. What a proxy has noted is in the signed header. */
const PASSED_ON = ['authorization', 'content-type', 'origin', 'user-agent', 'traceparent', 'tracestate'] as const;
/** Those of a request whose body or answer is passed on as it comes. */
const STREAMED = ['content-length', 'accept', 'range', 'if-range', 'if-none-match', 'x-upload-token'] as const;
/** The route on which a node ends a session for another one. */
export const STOP_PATH = '/internal/stop';

/** This process as one of several nodes that are one service. */
export class Cluster {
  readonly placement: Placement;
  /** Of this node's engine; null: it has none. */
  readonly lease: EngineLease | null;
  readonly #internal: InternalRequests;
  readonly #client: NodeClient;
  readonly #tunnel: Tunnel;

  constructor({ registry, keys, engine, timers, now, log }: ClusterOptions) {
    this.placement = new Placement(registry, log);
    this.lease = engine === null ? null : new EngineLease({ registry, timers, log, ...engine });
    this.#internal = new InternalRequests(keys, now);
    this.#client = new NodeClient(timers);
    this.#tunnel = new Tunnel(this.#client, this.#internal, log);
  }

  /** The node listens: others may send sessions. */
  async start(): Promise<void> {
    await this.lease?.start();
  }

  /** @returns what another node says of this request; null when no node has sent it. */
  read(header: unknown, method: string, path: string): InternalClaims | null {
    return this.#internal.read(header, method, path);
  }

  /**
   * Another node answers this request as if it had come there. @param reservation a place that it has for it.
   * @throws NodeUnreachable
   */
  pass(
    request: Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'body'>,
    client: PassedOnClient,
    { url }: EngineNode,
    reservation?: Reservation,
  ): Promise<NodeAnswer> {
    const { method, url: path } = request;
    const claims: InternalClaims = {
      method,
      path,
      client,
      ...(reservation !== undefined && { reservation: { id: reservation.id, fence: reservation.fence } }),
    };
    const headers: Record<string, string> = { [INTERNAL_HEADER]: this.#internal.sign(claims) };
    Object.assign(headers, chosenHeaders(request.headers, PASSED_ON));
    if (request.body === undefined || request.body === null) {
      delete headers['content-type'];
      return this.#client.send({ url, method, path, headers });
    }
    return this.#client.send({ url, method, path, headers, body: JSON.stringify(request.body) });
  }

  /**
   * The same for a request whose body is not read yet, and an answer of any size. @throws NodeUnreachable
   */
  stream(
    { method, url: path, headers, raw }: Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'raw'>,
    client: PassedOnClient,
    { url }: EngineNode,
  ): Promise<IncomingMessage> {
    const signed = { [INTERNAL_HEADER]: this.#internal.sign({ method, path, client }) };
    const request = {
      url,
      method,
      path,
      headers: { ...signed, ...chosenHeaders(headers, [...PASSED_ON, ...STREAMED]) },
    };
    return this.#client.stream(request, raw);
  }

  /** Ends a session that another node has. @returns false when no such session is live. */
  async stop(sessionId: string, reason: NonNullable<InternalClaims['stop']>['reason']): Promise<boolean> {
    const owner = await this.ownerElsewhere(sessionId);
    if (owner === null) return false;
    const claims = { method: 'POST', path: STOP_PATH, stop: { sessionId, reason } };
    const headers = { [INTERNAL_HEADER]: this.#internal.sign(claims) };
    const { status } = await this.#client.send({ url: owner.url, method: 'POST', path: STOP_PATH, headers });
    return status === 200;
  }

  /** @returns the other node that has this session; null: none that lives. */
  async ownerElsewhere(sessionId: string): Promise<EngineNode | null> {
    const owner = await this.placement.ownerOf(sessionId);
    return owner === null || owner.engineId === this.lease?.engineId ? null : owner;
  }

  /** @returns the other node whose engine has this id; null: none that lives. */
  async engineElsewhere(engineId: string): Promise<EngineNode | null> {
    return engineId === this.lease?.engineId ? null : this.placement.engine(engineId);
  }

  /** Never rejects. */
  async isLiveElsewhere(sessionId: string): Promise<boolean> {
    return (await this.ownerElsewhere(sessionId).catch(() => null)) !== null;
  }

  /** Passes the socket on to the node that has the session. Never rejects. */
  async passSocketOn(sessionId: string, offered: OfferedSocket): Promise<'taken' | 'nowhere'> {
    const { headers, method = '', url = '' } = offered.request;
    // It was passed on already: the session has ended meanwhile.
    if (this.read(headers[INTERNAL_HEADER], method, url) !== null) return 'nowhere';
    const owner = await this.ownerElsewhere(sessionId).catch(() => null);
    if (owner === null) return 'nowhere';
    await this.#tunnel.connect(offered, owner);
    return 'taken';
  }

  /** Sockets of sessions of other nodes. */
  get tunnels(): number {
    return this.#tunnel.size;
  }

  /** No session is sent here any more. */
  async drain(): Promise<void> {
    await this.lease?.drain();
  }

  /** The others forget this node. */
  async close(): Promise<void> {
    this.#tunnel.close();
    this.#client.close();
    await this.lease?.close();
  }
}
