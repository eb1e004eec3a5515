import type { FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Engine } from '../engine/ports.ts';
import type { Logger } from '../engine/log.ts';
import type { ApiKeys, Caller } from './access/api-keys.ts';
import type { SessionTokens } from './access/session-tokens.ts';
import type { UrlSigner } from './access/signed-urls.ts';
import type { Vault } from './access/vault.ts';
import type { AvatarPreviews } from './avatars/avatar-previews.ts';
import type { Timers } from '../runtime/clock.ts';
import type { Catalogue } from './catalogue.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { EngineProcesses } from './machine/engine-processes.ts';
import type { ServiceMetrics } from './http/metrics.ts';
import type { RateLimits } from './http/rate-limits.ts';
import type { JobQueues } from './jobs/job-queue.ts';
import type { Knowledge } from './knowledge/knowledge.ts';
import type { McpToolLists } from './mcp-servers/mcp-tool-lists.ts';
import type { Reservations } from './meetings/reservations.ts';
import type { ControlPorts } from './ports.ts';
import type { References } from './references.ts';
import type { Scope } from './scope.ts';
import type { EnginePlaces } from './sessions/engine-places.ts';
import type { SessionSlots } from './sessions/session-slots.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { Settings } from './settings.ts';
import type { Blobs, DiskBlobs } from './store/blobs.ts';
import type { Store } from './store/open.ts';
import type { SharedClock } from './store/shared-clock.ts';
import type { VoiceSamples } from './voices/voice-samples.ts';

/** Everything that the routes work with. It is assembled once, in `app.ts`. */
export interface Control {
  readonly settings: Settings;
  readonly store: Store;
  readonly blobs: Blobs;
  /** Files of this machine that can be made again. */
  readonly caches: DiskBlobs;
  readonly engine: Engine;
  readonly catalogue: Catalogue;
  readonly ports: ControlPorts;
  readonly keys: ApiKeys;
  /** Of all resources: what a key may do. */
  readonly scopes: readonly Scope[];
  readonly tokens: SessionTokens;
  readonly signer: UrlSigner;
  readonly vault: Vault;
  readonly references: References;
  readonly knowledge: Knowledge;
  readonly mcpTools: McpToolLists;
  readonly sessions: SessionStore;
  readonly slots: SessionSlots;
  /** Of this process's engine. */
  readonly places: EnginePlaces;
  /** The other nodes of this service. Null: this process is all of it. */
  readonly cluster: Cluster | null;
  /** The engine processes of this machine. Null: this process has the engine, or none. */
  readonly machine: Pick<EngineProcesses, 'list' | 'liveSessions'> | null;
  readonly reservations: Reservations;
  /** Whether it was asked to stop, or to take no further session. */
  readonly draining: () => boolean;
  readonly limits: RateLimits;
  readonly metrics: ServiceMetrics;
  /** Null if avatars cannot be recorded. */
  readonly previews: AvatarPreviews | null;
  /** Null if nothing can be spoken outside of sessions. */
  readonly samples: VoiceSamples | null;
  readonly log: Logger;
  /** Wall clock in ms since the epoch. */
  readonly now: () => number;
  readonly timers: Timers;
  /** What processes write for each other to compare is in this time. */
  readonly sharedNow: SharedClock;
  readonly jobs: JobQueues;
  /** Path of the signaling WebSocket on this server. */
  readonly signalingPath: string;
}

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  Logger & FastifyInstance['log'],
  ZodTypeProvider
>;

/** The caller of a route that needs an API key. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('This route was reached without a caller');
  return request.caller;
}

/** Host names and ports as they may stand in a Host header. */
const HOST = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]{1,253})(:\d{1,5})?$/;

/** @returns the address under which this client reached the service, without a trailing slash. */
export function publicUrl(control: Control, request: FastifyRequest): string {
  const { passedOn } = request;
  if (passedOn?.client !== undefined) return passedOn.client.baseUrl;
  if (control.settings.PARLEY_PUBLIC_URL !== undefined) return control.settings.PARLEY_PUBLIC_URL;
  const host = HOST.test(request.host ?? '')
    ? request.host
    : `${control.settings.PARLEY_HOST}:${control.settings.PORT}`;
  return `${request.protocol}://${host}`;
}
