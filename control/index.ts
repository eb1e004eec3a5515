/** What the scripts that start the service use of the control plane. */
export { Cluster, type ClusterOptions } from './cluster/cluster.ts';
export { EngineRegistryInMemory } from './placement/engine-registry-in-memory.ts';
export type { EngineRegistry } from './placement/engine-registry.ts';
export { EngineProcesses, EngineStartError } from './placement/engine-processes/engine-processes.ts';
export type { EngineFunctions } from './placement/engine-processes/engine-process.ts';
export { engineLauncher } from './placement/engine-processes/launch-engine.ts';
export { JournalsOfSupervisor } from './placement/engine-processes/journals-of-supervisor.ts';
export { registryOfSupervisor } from './placement/engine-processes/registry-of-supervisor.ts';
export { SlotsOfSupervisor } from './placement/engine-processes/slots-of-supervisor.ts';
export { connectToSupervisor, type Supervisor } from './placement/engine-processes/supervisor.ts';
export { videoFunctions } from './placement/engine-processes/remote-videos.ts';
export type { SlotLedger } from './placement/slot-ledger.ts';
export { SlotsInMemory } from './placement/slots-in-memory.ts';
export { EngineRegistryInRedis } from './placement/engine-registry-in-redis.ts';
export { isBusy } from './placement/engine-places.ts';
export { Handovers } from './migration/handover.ts';
export { JournalsInRedis } from './migration/journals-in-redis.ts';
export { MovesInRedis } from './migration/moves-in-redis.ts';
export { openRedis } from './store/redis.ts';
export { SlotsInRedis } from './placement/slots-in-redis.ts';
export { buildApp, type AppOptions } from './app/app.ts';
export { ensureFirstKey } from './app/first-key.ts';
export { takeOverSecrets } from './access/stored-secrets.ts';
export { createApiKey, organizationNamed } from './access/api-keys.ts';
export { DEFAULT_SCOPES } from './api/scopes.ts';
export { masterKeys, storedMasterKey, type MasterKeys } from './access/master-key.ts';
export {
  stockId,
  type Catalogue,
  type Image,
  type ImageShape,
  type StockAvatar,
  type StockLlm,
  type StockVoice,
} from './catalogue/catalogue.ts';
export { PhotoReconciler } from './api/avatars/reconcile-photos.ts';
export { photosInBlobs } from './api/avatars/photos-in-blobs.ts';
export { ERRORS, type Refusal } from './errors/http-error.ts';
export { RESOURCES } from './api/resources.ts';
export { Knowledge } from './api/knowledge/knowledge.ts';
export * from './ports.ts';
export { hasMcpServers } from './api/mcp-servers/mcp-server-rows.ts';
export type { LocalModelResponse } from './api/operator/local-model-schema.ts';
export type { JobQueues } from './jobs/job-queue.ts';
export { closeJobs, openJobs } from './jobs/open-jobs.ts';
export { startHousekeeping } from './housekeeping/housekeeping.ts';
export { endLostSessions, endSessions } from './sessions/records/interrupted-sessions.ts';
export { SealedJournals } from './migration/sealed-journals.ts';
export { SessionStore } from './sessions/records/session-store.ts';
export { readSettings, settingsHelp, SettingsError, settingsSchema, type Settings } from './settings/settings.ts';
export {
  embeddingsSettings,
  llmFallbackSettings,
  llmSettings,
  sttFallbackSettings,
  LOCAL_STT,
  sttSettings,
  ttsSettings,
} from './settings/providers.ts';
export type { ProviderSettings } from './settings/provider-settings.ts';
export { ttsServices } from './settings/tts-services.ts';
export { localUrl } from './http/local-url.ts';
export { claimsInMemory, type Claims } from './store/claims.ts';
export { claimsInPostgres } from './store/claims-in-postgres.ts';
export { openBlobs, type Blobs, type DiskBlobs } from './store/blobs.ts';
export type { BlobsInS3 } from './store/s3/blobs-in-s3.ts';
export { openBlobsInS3 } from './store/s3/open-blobs-in-s3.ts';
export { setPrivateUmask, openDataFolder } from './store/data-folder.ts';
export { lockEngineName } from './store/engine-name-lock.ts';
export { Reservations } from './placement/reservations.ts';
export { openTraces } from './telemetry/open-traces.ts';
export { traceTurns } from './telemetry/traces.ts';
export { openVault } from './access/vault.ts';
export { openStore, type Store } from './store/open.ts';
export { storeProblem } from './store/store-problem.ts';
export { openVideoQueue } from './api/videos/video-queue.ts';
