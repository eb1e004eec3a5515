import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Logger } from '../../runtime/log.ts';
import type { OfferedSocket } from '../../engine/ports.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { DerivedKey } from '../access/master-key.ts';
import { pickHeaders } from './pick-headers.ts';
import { HttpError } from '../errors/http-error.ts';
import { sessionErrors } from '../errors/session-errors.ts';
import { EngineLease, type EngineLeaseOptions } from '../placement/engine-lease.ts';
import type { EngineNode, EngineRegistry } from '../placement/engine-registry.ts';
import { bodyHash, INTERNAL_HEADER, type InternalClaims, InternalRequests } from './internal-requests.ts';
import type { JournalsInRedis } from '../migration/journals-in-redis.ts';
import { PROBE_MS } from '../placement/lease.ts';
import type { MovesInRedis } from '../migration/moves-in-redis.ts';
import { EXPECT_PATH, LOOK_PATH, STOP_PATH } from './internal-paths.ts';
import { NodeAddresses, withSignedAddress } from './node-addresses.ts';
import { isRefused, NodeClient, type NodeAnswer } from './node-client.ts';
import { Placement, type Reservation } from '../placement/placement.ts';
import { SessionFinder } from '../migration/session-finder.ts';
import { Takeovers, type TakeoversOptions } from '../migration/takeover.ts';
import { Tunnel } from './tunnel.ts';

export interface ClusterOptions {
  readonly registry: EngineRegistry;
  /** With which nodes sign what they tell each other, newest first. */
  readonly keys: readonly DerivedKey[];
  /** This node's engine; null: it has none. */
  readonly engine: Pick<EngineLeaseOptions, 'engine' | 'places' | 'busy'> | null;
  /** How sessions come from one engine to another. @defaultValue they stay where they are */
  readonly moves?: MovesInRedis | null;
  /** The journals of this node's sessions. @defaultValue they have none */
  readonly journals?: JournalsInRedis | null;
  /** Whether this node's engine has this session. @defaultValue it has none */
  readonly isHere?: (sessionId: string) => boolean;
  readonly timers: Timers;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly log: Logger;
}

/** What only its first node knows of a request. */
export type ForwardedClient = NonNullable<InternalClaims['client']>;

/** Headers of a request that decide its answer. What a proxy has noted is in the signed header. */
const FORWARDED = ['authorization', 'content-type', 'origin', 'user-agent', 'traceparent', 'tracestate'] as const;
/** Those of a request whose body or answer is forwarded as it comes. */
const STREAMED = ['content-length', 'accept', 'range', 'if-range', 'if-none-match', 'x-upload-token'] as const;
/**
 * How long a socket or a request waits for a session that is on its way to another engine, ms. The public client gives a
 * socket 5 s to open.
 */
const WAIT_MS = 4500;
/** How long another engine has to get ready for a session: whoever is to stop has only seconds, ms. */
const READY_WITHIN_MS = 2_500;
/** Between two tries to pass a socket on, ms. */
const RETRY_MS = 100;
/** How often it is asked whether engines still have the sessions whose sockets pass through this node, ms. */
const WATCH_EVERY_MS = 500;

/** This process as one of several nodes that are one service. */
export class Cluster {
  readonly placement: Placement;
  /** Of this node's engine; null: it has none. */
  readonly lease: EngineLease | null;
  readonly #internal: InternalRequests;
  readonly #addresses: NodeAddresses;
  readonly #client: NodeClient;
  readonly #tunnel: Tunnel;
  readonly #finder: SessionFinder;
  readonly #options: ClusterOptions;
  #takeovers: Takeovers | null = null;
  #watching: unknown;

  constructor(options: ClusterOptions) {
    const { registry, keys, engine, timers, now, log } = options;
    this.#options = options;
    this.placement = new Placement(registry, log);
    this.#addresses = new NodeAddresses(keys);
    this.lease =
      engine === null
        ? null
        : new EngineLease({ registry, timers, log, ...withSignedAddress(engine, this.#addresses) });
    this.#internal = new InternalRequests(keys, () => engine?.engine.url ?? null, now);
    this.#client = new NodeClient(timers, this.#addresses);
    const sign = (claims: InternalClaims, url: string): Record<string, string> => this.#sign(claims, url);
    this.#tunnel = new Tunnel(this.#client, sign, log, (owner) => void this.#suspect(owner));
    this.#finder = new SessionFinder({
      registry,
      moves: options.moves ?? null,
      engineId: this.lease?.engineId ?? null,
      isHere: options.isHere ?? (() => false),
      arrival: (sessionId) => this.#takeovers?.arrival(sessionId) ?? null,
      timers,
    });
  }

  /** From now on, this node goes on with sessions of engines that are gone. Before `start`. */
  takeSessionsOver(how: Pick<TakeoversOptions, 'restore' | 'expect' | 'expectNoMore' | 'giveUp'>): void {
    const { moves, journals, timers, log } = this.#options;
    if (this.lease === null || moves == null || journals == null) return;
    const tell = (url: string): void => void this.#tell(url);
    const { lease } = this;
    this.#takeovers = new Takeovers({ ...how, moves, journals, lease, client: this.#client, tell, timers, log });
  }

  /** Looks at once whether there are sessions for this node to take. */
  look(): void {
    void this.#takeovers?.look();
  }

  /** A session of another node will be handed over to this one. Rejects when it cannot go on here. */
  async expect(sessionId: string): Promise<void> {
    if (this.#takeovers === null) throw new HttpError(sessionErrors.noEngines);
    await this.#takeovers.expect(sessionId);
  }

  /** Another node has given this session away. Resolves when it is here, or does not come. */
  async take(sessionId: string): Promise<void> {
    await this.#takeovers?.take(sessionId);
  }

  /**
   * Finds another engine for a session of this node, which gets ready for it. Never rejects.
   * @param unwanted engines. @returns null: none has a place. `unable`: this engine cannot go on with it.
   */
  async findSuccessor(
    sessionId: string,
    unwanted: readonly string[] = [],
  ): Promise<EngineNode | { readonly unable: string } | null> {
    const { moves, journals, timers, log } = this.#options;
    if (moves == null || journals == null) return null;
    const node = await moves.choose(sessionId, journals.life, unwanted).catch(() => null);
    if (node === null) return null;
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = timers.setTimeout(() => resolve('late'), READY_WITHIN_MS);
    const answer = await Promise.race([this.#tellOf(sessionId, node, EXPECT_PATH), late]);
    timers.clearTimeout(timer);
    // What it has not read by then it reads when it takes the session.
    if (answer === 'late' || answer?.status === 200) return node;
    const status = answer?.status ?? null;
    log.warn({ sessionId, engineId: node.engineId, status }, 'an engine cannot go on with a session');
    return { unable: node.engineId };
  }

  /** Its successor may take the session. Resolves when it has. Never rejects. */
  async offerSession(sessionId: string, successor: EngineNode): Promise<void> {
    await this.#tellOf(sessionId, successor, LOOK_PATH);
  }

  /** @param address of the node that gets it, as it is in the registry. */
  #sign(claims: InternalClaims, address: string): Record<string, string> {
    // One that no node has signed gets nothing: the client of nodes refuses it.
    return { [INTERNAL_HEADER]: this.#internal.sign(claims, this.#addresses.read(address) ?? '') };
  }

  async #tellOf(session: string, { url }: EngineNode, path: string): Promise<NodeAnswer | null> {
    const headers = this.#sign({ method: 'POST', path, session }, url);
    return this.#client.send({ url, method: 'POST', path, headers }).catch(() => null);
  }

  /** Sessions of this node that can go on elsewhere. */
  movable(): readonly string[] {
    return this.#options.journals?.ids ?? [];
  }

  /** Whether a session of this node can go on elsewhere. */
  canMove(sessionId: string): boolean {
    return this.#options.journals?.has(sessionId) === true;
  }

  /** The session may not go on in another region. */
  keepInRegion(sessionId: string): void {
    this.#options.journals?.keepInRegion(sessionId);
  }

  /** Resolves when another engine has this session, or after some seconds. @returns whether one has it. */
  async hasMoved(sessionId: string): Promise<boolean> {
    await this.#takeovers?.look();
    const found = await this.#finder.find(sessionId, this.#options.timers.now() + WAIT_MS).catch(() => null);
    return found !== null && typeof found === 'object';
  }

  /** @returns those of these sessions that are live somewhere, or will be. @throws HttpError when that is not known. */
  async findLive(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#options.moves?.findLive(sessionIds) ?? new Set();
  }

  /** The node listens: others may send sessions. */
  async start(): Promise<void> {
    await this.lease?.start();
    this.#takeovers?.start();
    this.#watchLater();
  }

  /** @returns what another node says of this request; null when no node has sent it. */
  read(header: unknown, method: string, path: string): InternalClaims | null {
    return this.#internal.read(header, method, path);
  }

  /**
   * Another node answers this request as if it had come there. @param reservation a place that it has for it.
   * @throws NodeUnreachable
   */
  forward(
    request: Pick<FastifyRequest, 'method' | 'url' | 'headers' | 'body'>,
    client: ForwardedClient,
    { url }: EngineNode,
    reservation?: Reservation,
  ): Promise<NodeAnswer> {
    const { method, url: path } = request;
    const hasBody = request.body !== undefined && request.body !== null;
    const claims: InternalClaims = {
      method,
      path,
      client,
      ...(reservation !== undefined && { reservation: { id: reservation.id, fence: reservation.fence } }),
      ...(hasBody && { body: bodyHash(request.body) }),
    };
    const headers = { ...pickHeaders(request.headers, FORWARDED), ...this.#sign(claims, url) };
    if (!hasBody) {
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
    client: ForwardedClient,
    { url }: EngineNode,
  ): Promise<IncomingMessage> {
    const signed = this.#sign({ method, path, client }, url);
    const request = {
      url,
      method,
      path,
      headers: { ...signed, ...pickHeaders(headers, [...FORWARDED, ...STREAMED]) },
    };
    return this.#client.stream(request, raw);
  }

  /** Ends a session that another node has. @returns false when no such session is live. */
  async stop(sessionId: string, reason: NonNullable<InternalClaims['stop']>['reason']): Promise<boolean> {
    const owner = await this.ownerElsewhere(sessionId);
    if (owner === null) return false;
    return this.#stopAt(owner, sessionId, reason);
  }

  async #stopAt(
    owner: EngineNode,
    sessionId: string,
    reason: NonNullable<InternalClaims['stop']>['reason'],
  ): Promise<boolean> {
    const claims = { method: 'POST', path: STOP_PATH, stop: { sessionId, reason } };
    const headers = this.#sign(claims, owner.url);
    try {
      const { status } = await this.#client.send({ url: owner.url, method: 'POST', path: STOP_PATH, headers });
      return status === 200;
    } catch (error) {
      if (isRefused(error)) await this.#suspect(owner);
      throw error;
    }
  }

  /**
   * Waits for a session that is on its way to another engine. @returns the node that has this session, when it was not here
   * a moment ago; null: none that lives. @throws HttpError 503 when it is still on its way after some seconds, or nobody
   * knows.
   */
  async ownerElsewhere(sessionId: string): Promise<EngineNode | null> {
    const { timers, log, engine } = this.#options;
    const found = await this.#finder.find(sessionId, timers.now() + WAIT_MS).catch((error: unknown) => {
      log.error({ err: error }, 'the engines are not known, because Redis does not answer');
      return 'unknown' as const;
    });
    if (found === 'moving' || found === 'unknown')
      throw new HttpError(sessionErrors.noEngines, {
        message: 'This session is on its way to another engine; try again soon.',
        headers: { 'retry-after': '1' },
      });
    if (found === 'nowhere') return null;
    if (found === 'here') return engine === null ? null : { engineId: engine.engine.id, url: engine.engine.url };
    return found.elsewhere;
  }

  /** @returns the other node whose engine has this id; null: none that lives. */
  async engineElsewhere(engineId: string): Promise<EngineNode | null> {
    return engineId === this.lease?.engineId ? null : this.placement.engine(engineId);
  }

  /** Never rejects. */
  async isLiveElsewhere(sessionId: string): Promise<boolean> {
    const found = await this.#finder.find(sessionId, 0).catch(() => 'nowhere' as const);
    return found !== 'nowhere';
  }

  /** Forwards the socket to the node that has the session, once it is there. Never rejects. */
  async forwardSocket(sessionId: string, offered: OfferedSocket): Promise<'taken' | 'nowhere' | 'here'> {
    const { headers, method = '', url = '' } = offered.request;
    const untilWhen = this.#options.timers.now() + WAIT_MS;
    if (this.read(headers[INTERNAL_HEADER], method, url) !== null) {
      await this.#takeovers?.arrival(sessionId);
      // If it has ended, or moved on, the node that asked looks again.
      return this.#options.isHere?.(sessionId) === true ? 'here' : 'nowhere';
    }
    for (let round = 0; !offered.socket.destroyed; round += 1) {
      // While nobody knows, clients wait.
      const found = await this.#finder.find(sessionId, untilWhen).catch(() => 'moving' as const);
      if (found === 'here' || found === 'nowhere') return found;
      if (found !== 'moving') {
        const isLast = round > 0 && this.#options.timers.now() >= untilWhen;
        const mayMove = this.#options.moves != null && !isLast;
        const result = await this.#tunnel.connect(
          sessionId,
          offered,
          found.elsewhere,
          (status) => status !== 404 || !mayMove,
        );
        if (result === 'open' || result === 'refused') return 'taken';
        if (result === 'absent' && !(await this.#isMoving(sessionId, found.elsewhere))) return 'nowhere';
        if (typeof result === 'object' && isRefused(result.unreachable)) await this.#suspect(found.elsewhere);
        if (this.#options.moves == null) break;
      }
      if (this.#options.timers.now() >= untilWhen) break;
      await this.#finder.pause(RETRY_MS);
    }
    this.#tunnel.sendBack(offered);
    return 'taken';
  }

  /** Whether a session that its node does not know is now elsewhere. Never rejects. */
  async #isMoving(sessionId: string, node: EngineNode): Promise<boolean> {
    const found = await this.#finder.find(sessionId, 0).catch(() => 'moving' as const);
    return typeof found === 'object' ? found.elsewhere.engineId !== node.engineId : found !== 'nowhere';
  }

  /** Its sockets break, or it refuses connections: perhaps its process is gone. Never rejects. */
  async #suspect({ engineId, url }: EngineNode): Promise<void> {
    const { moves, log } = this.#options;
    if (moves == null || (await this.#client.probe(url, PROBE_MS)) !== 'refused') return;
    log.warn({ engineId }, 'the address of an engine refuses connections');
    await moves.suspect(engineId).catch(() => {});
    if (this.#takeovers !== null) return this.look();
    // This node has no engine that could declare another one dead.
    const other = await this.#options.registry.anyEngine().catch(() => null);
    if (other !== null) await this.#tell(other.url);
  }

  async #tell(url: string): Promise<void> {
    if (this.#addresses.read(url) === this.#options.engine?.engine.url) return this.look();
    const headers = this.#sign({ method: 'POST', path: LOOK_PATH }, url);
    // It looks by itself soon.
    await this.#client.send({ url, method: 'POST', path: LOOK_PATH, headers }).catch(() => null);
  }

  /** Sockets of an engine whose machine is gone do not end by themselves. */
  #watchLater(): void {
    this.#watching = this.#options.timers.setTimeout(() => {
      void this.#watch();
      this.#watchLater();
    }, WATCH_EVERY_MS);
  }

  async #watch(): Promise<void> {
    for (const [engineId, sessionIds] of this.#tunnel.sessions()) {
      // While nobody knows, sockets stay.
      const lost = await this.#options.registry.findLost(engineId, [...sessionIds]).catch(() => []);
      this.#tunnel.abandon(engineId, new Set(lost));
    }
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
    this.#options.timers.clearTimeout(this.#watching);
    this.#takeovers?.close();
    this.#tunnel.close();
    this.#client.close();
    await this.lease?.close();
  }
}
