/** What the control plane sees of the engine. */
export { MAX_TOKEN_LENGTH, readRoomToken } from './rooms/room-token.ts';
export { absentEngine } from './open/absent-engine.ts';
export { openEngine, photosIn, type EngineSettings, type RunningEngine } from './open/open-engine.ts';
export type { AvatarVideoRequest, RenderedVideo } from './avatar-video/index.ts';
export { TooManyImagesError, UnsuitablePhotoError } from './avatar-maker/index.ts';
export { readImageHeader, type ImageHeader } from './avatar-maker/image-header.ts';
export { isLocal, NEURAL_STT, sttProvider, type RecognizerChoice } from '../models/stt/registry.ts';
export type { Logger } from '../runtime/log.ts';
export { type EngineStatus } from './ports.ts';
export {
  SessionRestoreError,
  type SessionJournal,
  type SessionJournals,
  type RestorableSession,
} from './session/journal/journal.ts';
export { loadRooms } from './session/live-sessions.ts';
export { headOf } from './session/journal/journal-head.ts';
export { isLoopback, localAddresses } from './transport/ice/local-addresses.ts';
export { IceCredentialMaker } from './transport/ice/credential-maker.ts';
export { openPublicRouter, type PublicRouter } from './transport/ice/shared/public-router.ts';
export type { EngineOfPort, FromEngineOfPort, ToEngineOfPort } from './transport/ice/shared/port-messages.ts';
export type { PortOwner } from './transport/ice/shared/shared-ports.ts';
export { AVATAR_CATALOGUE, PhotoFolder, LOAD_SHEDDING, type KeptPhoto, type SharedPhotos } from './face/index.ts';
export { LOCAL, LOCAL_VOICES, neuralStockVoices, type StockVoice } from '../models/tts/voices.ts';
export type { LocalModels } from '../models/sherpa/local-model.ts';
export {
  findLocalModels,
  NO_MODELS,
  type FoundModels,
  type LocalModelNote,
} from '../models/sherpa/find-local-models.ts';
export { SLOWEST } from '../models/sherpa/speed-limits.ts';
export { knownPackages } from '../models/packages/known.ts';
export { ttsProvider } from '../models/tts/registry.ts';
export { LatencyTable } from '../models/latency-table.ts';
export {
  createLanguageModel,
  openLanguageModels,
  checkConnection,
  PATIENT_DEADLINES,
  offeredModels,
  type LlmDefinition,
} from '../models/llm/index.ts';
export { createOfflineLlm } from '../models/llm/offline-llm.ts';
export { openEmbedder } from '../models/embeddings/registry.ts';
export { timedEmbedder } from '../models/embeddings/timed-embedder.ts';
export { createLocalEmbedder } from '../models/embeddings/local/local-embedder.ts';
export { findEmbeddingModel } from '../models/embeddings/local/embedding-model.ts';
export { wholeAnswer } from '../models/llm/whole-answer.ts';
export { recordingsIn } from './recording/unfinished.ts';
export {
  assertPublicUrl,
  createGuardedDispatcher,
  createGuardedFetch,
  guardedDial,
  postEvent,
  download,
  DownloadError,
  portOf,
  privateHosts,
  PublicUrlError,
  type Fetch,
} from './net/index.ts';
export { readTraceparent, traceOfTurn, type TraceContext } from '../runtime/trace-context.ts';
export { VERSION } from '../runtime/version.ts';
export { StartError } from '../runtime/start-error.ts';
export type { SpokenTextRequest } from './voice-preview/speak-text.ts';
export { McpListingError } from './tools/mcp/list-mcp-tools.ts';
export { openMcpThread, type McpThread } from './tools/mcp/mcp-thread.ts';
export { tryTool } from './tools/try-tool.ts';
export { outgoingAgent } from '../models/http/outgoing.ts';
export { retryAfterMs } from '../models/http/retry-after.ts';
export type { HeldConversation } from './simulation/conversation-record.ts';
export type { MockedAnswer, RunTool } from './simulation/mocked-tools.ts';
export { holdTextConversation, type SimulatedUser } from './simulation/text-conversation.ts';
export type { SpokenConversationRequest } from './simulation/spoken-conversations.ts';
export { searchKnowledge } from './tools/knowledge.ts';
