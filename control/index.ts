/** What the scripts that start the service use of the control plane. */
export { Cluster, type ClusterOptions } from './cluster/cluster.ts';
export { EngineRegistryInMemory } from './cluster/engine-registry-in-memory.ts';
export type { EngineRegistry } from './cluster/engine-registry.ts';
export { EngineProcesses, EngineStartError, type EngineOnMachine } from './machine/engine-processes.ts';
export type { EngineFunctions } from './machine/engine-process.ts';
export { engineLauncher } from './machine/launch-engine.ts';
export { JournalsOfSupervisor } from './machine/journals-of-supervisor.ts';
export { registryOfSupervisor } from './machine/registry-of-supervisor.ts';
export { SlotsOfSupervisor } from './machine/slots-of-supervisor.ts';
export { meetSupervisor, type Supervisor } from './machine/supervisor.ts';
export { videoFunctions } from './machine/remote-videos.ts';
export type { SlotLedger } from './sessions/slot-ledger.ts';
export { SlotsInMemory } from './sessions/slots-in-memory.ts';
export { EngineRegistryInRedis } from './cluster/engine-registry-in-redis.ts';
export { HandOvers } from './cluster/hand-overs.ts';
export { JournalsInRedis } from './cluster/journals-in-redis.ts';
export { MovesInRedis } from './cluster/moves-in-redis.ts';
export { openRedis } from './cluster/redis.ts';
export { SlotsInRedis } from './cluster/slots-in-redis.ts';
export { buildApp, type AppOptions } from './app.ts';
export { ensureFirstKey, DEFAULT_ORGANIZATION } from './bootstrap.ts';
export { takeOverSecrets } from './access/stored-secrets.ts';
export { createApiKey, ENTITLEMENTS, listApiKeys, organizationNamed, revokeApiKey } from './access/api-keys.ts';
export { DEFAULT_SCOPES, isScope, SCOPES } from './scopes.ts';
export { masterKeys, storedMasterKey, type MasterKeys } from './access/master-key.ts';
export {
  stockId,
  type Catalogue,
  type Image,
  type ImageShape,
  type StockAvatar,
  type StockLlm,
  type StockVoice,
} from './catalogue.ts';
export { PhotoKeeper } from './avatars/keep-photos.ts';
export { photosInBlobs } from './avatars/photos-in-blobs.ts';
export { ERRORS, type Refusal } from './errors.ts';
export { RESOURCES } from './resources.ts';
export { Knowledge } from './knowledge/knowledge.ts';
export * from './ports.ts';
export type { LocalModelResponse } from './operator/local-model-schema.ts';
export { closeJobs, openJobs } from './jobs/open-jobs.ts';
export { keepHouse, type Housekeeping } from './housekeeping.ts';
export { endInterruptedSessions, endLostSessions, endSessions } from './sessions/cut-off-sessions.ts';
export { SealedJournals } from './sessions/sealed-journals.ts';
export { SessionStore } from './sessions/session-store.ts';
export { readSettings, settingsHelp, SettingsError, settingsSchema, type Settings } from './settings.ts';
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
export { claimsInMemory } from './store/claims.ts';
export { claimsInPostgres } from './store/claims-in-postgres.ts';
export { openBlobs, type Blobs } from './store/blobs.ts';
export { openBlobsInS3 } from './store/s3/open-blobs-in-s3.ts';
export { keepFilesPrivate, makeFolder, openDataFolder } from './store/data-folder.ts';
export { holdEngineName } from './store/engine-name.ts';
export { Reservations } from './meetings/reservations.ts';
export { openTraces } from './telemetry/open-traces.ts';
export { traceTurns } from './telemetry/traces.ts';
export { openStore, type Store } from './store/open.ts';
export { storeProblem } from './store/store-problem.ts';
export { openVideoQueue, type VideoQueue } from './videos/video-queue.ts';
export type { VideoOptions } from './videos/video-routes.ts';
