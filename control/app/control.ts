import type { Engine } from '../../engine/ports.ts';
import type { Logger } from '../../runtime/log.ts';
import type { ApiKeys } from '../access/api-keys.ts';
import type { PasswordQueue } from '../access/passwords.ts';
import type { SignIns } from '../access/sign-ins.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { UrlSigner } from '../access/signed-urls.ts';
import type { Vault } from '../access/vault.ts';
import type { AvatarPreviews } from '../api/avatars/avatar-previews.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { EngineProcesses } from '../placement/engine-processes/engine-processes.ts';
import type { ServiceMetrics } from '../telemetry/prometheus.ts';
import type { RateLimits } from '../http/rate-limits.ts';
import type { JobQueues } from '../jobs/job-queue.ts';
import type { Knowledge } from '../api/knowledge/knowledge.ts';
import type { McpToolLists } from '../api/mcp-servers/mcp-tool-lists.ts';
import type { Reservations } from '../placement/reservations.ts';
import type { ControlPorts } from '../ports.ts';
import type { References } from '../catalogue/references.ts';
import type { ReplaceInPersonas } from '../catalogue/uses.ts';
import type { Scope } from '../access/scope.ts';
import type { EnginePlaces } from '../placement/engine-places.ts';
import type { SessionSlots } from '../placement/session-slots.ts';
import type { SessionStore } from '../sessions/records/session-store.ts';
import type { Settings } from '../settings/settings.ts';
import type { Blobs, DiskBlobs } from '../store/blobs.ts';
import type { Store } from '../store/open.ts';
import type { SharedClock } from '../store/shared-clock.ts';
import type { VoiceSamples } from '../api/voices/voice-samples.ts';

/**
 * Everything that the routes work with. It is assembled once, in `app.ts`; each resource names what it takes of it. Nothing
 * else may import this.
 */
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
  readonly signIns: SignIns;
  readonly passwordQueue: PasswordQueue;
  /** Of all resources: what a key may do. */
  readonly scopes: readonly Scope[];
  readonly tokens: SessionTokens;
  readonly signer: UrlSigner;
  readonly vault: Vault;
  readonly references: References;
  readonly replaceInPersonas: ReplaceInPersonas;
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
