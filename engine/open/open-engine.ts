import { mainModel, type LocalModels } from '../../models/sherpa/local-model.ts';
import { join } from 'node:path';
import { isLocal, NEURAL_STT, type RecognizerChoice } from '../../models/stt/registry.ts';
import { LatencyTable } from '../../models/latency-table.ts';
import { openSynthesizers, type SynthesizerOptions, type VoiceService } from '../../models/tts/registry.ts';
import {
  createAvatarVideos,
  type AvatarVideoRequest,
  type IdleVideoRequest,
  type RenderedVideo,
} from '../avatar-video/index.ts';
import type { PhotoAvatarMaker } from '../avatar-maker/index.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { createFace, FetchedPhotos, PhotoFolder, type FaceEngine, type SharedPhotos } from '../face/index.ts';
import { createAudioIn, type NoiseSettings, type RunningAudioIn } from '../audio-in/index.ts';
import { watchCapacity, type Capacity, type LocalWork, type Siblings } from '../capacity/index.ts';
import { releaseMemoryWhenIdle } from '../../runtime/idle-memory.ts';
import { PROCESS_MEMORY } from '../../runtime/allocator.ts';
import { raiseHeapGrowthLimit } from '../../runtime/heap-growth-limit.ts';
import type { SessionJournals } from '../session/journal/journal.ts';
import type { Logger } from '../../runtime/log.ts';
import { createGuardedFetch, privateHosts } from '../net/index.ts';
import type { Engine, SessionSink } from '../ports.ts';
import { createRecording } from '../recording/index.ts';
import { createEngine } from '../session/engine.ts';
import type { McpThread } from '../tools/mcp/mcp-thread.ts';
import { createTransport, type TransportOptions } from '../transport/index.ts';
import { createAudioOut } from '../audio-out/index.ts';
import { createPhotoAvatars } from './photo-avatars.ts';
import type { HeldConversation } from '../simulation/conversation-record.ts';
import { SpokenConversations, type SpokenConversationRequest } from '../simulation/spoken-conversations.ts';
import { speakText, type SpokenTextRequest } from '../voice-preview/speak-text.ts';

export interface EngineSettings {
  /** Addresses that clients send media to, as they can reach them. */
  readonly publicAddresses: readonly string[];
  /** Further addresses, of this machine itself, for browsers on it. @defaultValue none */
  readonly ownMachineAddresses?: readonly string[] | undefined;
  readonly udpPort: number;
  /** For clients whose networks block UDP. Null: none. Unset: the number of the UDP port, or none if that is in use. */
  readonly tcpPort?: number | null | undefined;
  /** The process that has both ports for several engines. @defaultValue this one has them */
  readonly portOwner?: TransportOptions['portOwner'];
  /** @defaultValue what knows the clients of this process only */
  readonly iceCredentials?: TransportOptions['iceCredentials'];
  /** How many engine processes share the machine, and whose children they are. @defaultValue it is the only one */
  readonly siblings?: Siblings | null | undefined;
  /** Sessions at the same time, or `auto`: as many as this machine carries. */
  readonly capacity: number | 'auto';
  /** Prepared avatars are kept here. */
  readonly dataDir: string;
  /** The preferred one first; at least one. */
  readonly recognizers: readonly RecognizerChoice[];
  /** Names and terms that may be said, for recognizers that can be told. */
  readonly keyTerms: readonly string[];
  /** Folder of model files. */
  readonly modelsDir: string;
  /** Neural models that are here and that the machine is fast enough for. @defaultValue none */
  readonly local?: LocalModels;
  readonly noise: NoiseSettings;
  readonly endOfTurnModel: string | null;
  /** TTS services besides the offline voices, the preferred one first. */
  readonly tts: readonly VoiceService[];
  /** Whether the offline voices take over when the services fail. */
  readonly offlineFallback: boolean;
  /** What a TTS service tells of its voices now, by the id of its provider. @defaultValue nothing */
  readonly toldVoices?: SynthesizerOptions['told'];
  /** Where the first results of providers are timed. @defaultValue nowhere that is seen */
  readonly latencies?: LatencyTable;
  /** Whether faces at rest are shown from loops, which are drawn in spare time. @defaultValue true */
  readonly idleLoops?: boolean;
  /** Path of a lip-sync model (ONNX), or null: mouths are then drawn. */
  readonly lipSyncModel?: string | null;
  /** In order of preference. */
  readonly videoCodecs: readonly ('h264' | 'vp8')[];
  /** Where other machines find the photo avatars of this one, and this one theirs. @defaultValue nowhere */
  readonly sharedPhotos?: SharedPhotos | null;
  /** Where MCP servers are asked. Whoever opened it closes it. @defaultValue on the thread of the media */
  readonly mcp?: McpThread | undefined;
  /** Whether webhooks are told the trace of their turn. @defaultValue false */
  readonly traces?: boolean;
  /** `host` or `host:port` that webhooks may reach although they are not public. */
  readonly allowedPrivateHosts: readonly string[];
}

export interface RunningEngine extends Engine {
  /** The port that was bound when `udpPort` was 0. */
  readonly udpPort: number;
  /** For clients whose networks block UDP; null: none. */
  readonly tcpPort: number | null;
  /** ISO 639-1 codes that the recognizers understand. */
  readonly recognizedLanguages: readonly string[] | 'any';
  /** A still image of an avatar, JPEG. */
  renderPoster(engineKey: string, width: number, height: number): Promise<Buffer>;
  /**
   * Draws an avatar ahead of its first session, after everything that somebody waits for. Resolves when it is whole.
   * @param then where it stays: the first session of one in memory need not even read a file.
   */
  drawAvatarAhead(engineKey: string, width: number, height: number, then: 'in memory' | 'on disk'): Promise<void>;
  /** @returns the engine keys of those that have never been drawn in this size. */
  undrawnAvatars(engineKeys: readonly string[], width: number, height: number): Promise<readonly string[]>;
  /** Makes a video of an avatar that speaks a script, below live sessions in priority. See `AvatarVideos`. */
  renderAvatarVideo(request: AvatarVideoRequest): Promise<RenderedVideo>;
  /** The same of an avatar that waits, without sound, for players that show it over and over. */
  renderIdleVideo(request: IdleVideoRequest): Promise<RenderedVideo>;
  /** Speaks a short text with one voice, as a WAV file. See `speakText`. */
  speakText(request: SpokenTextRequest): Promise<Uint8Array>;
  /** Holds a conversation of a test in sound, where one more call would be taken. See `SpokenConversations`. */
  holdSpokenConversation(request: SpokenConversationRequest): Promise<HeldConversation>;
  /** Makes avatars of portraits, and deletes them, for all machines. */
  readonly photoAvatars: Pick<PhotoAvatarMaker, 'make' | 'remove'>;
  /** Drops what is in memory of an avatar that was deleted. Sessions that show it go on. */
  forgetAvatar(engineKey: string): void;
}

/** @returns the folder of photo avatars. */
export function photosIn(dataDir: string): string {
  return join(dataDir, 'photo-avatars');
}

/**
 * Starts the engine with its real parts. Resolves when a session can be taken.
 * @param journals keep what sessions need to go on in another process. @defaultValue nobody does
 * @throws when a part cannot start.
 */
export async function openEngine(
  settings: EngineSettings,
  sink: SessionSink,
  log: Logger,
  journals: SessionJournals | null = null,
): Promise<RunningEngine> {
  raiseHeapGrowthLimit();
  const allowedHosts = privateHosts(settings.allowedPrivateHosts);
  const guarded = createGuardedFetch(allowedHosts);
  const latencies = settings.latencies ?? new LatencyTable();
  const synthesizers = synthesizersOf(settings, latencies);
  const audioIn = audioInOf(settings, latencies, log);
  const photosDir = photosIn(settings.dataDir);
  const folder = new PhotoFolder(photosDir);
  const face = faceOf(settings, folder, log);
  const photoAvatars = createPhotoAvatars({ photosDir, folder, shared: settings.sharedPhotos ?? null, face, log });
  const transport = await createTransport({ ...settings, publicAddress: settings.publicAddresses, log });
  await audioIn.ready();
  const capacity = capacityOf(settings, { face, liveSessions: () => engine.liveSessions() }, log);
  const audioOut = createAudioOut({ synthesizers, timers: systemTimers, log });
  const endOfTurnModelAvailable = settings.endOfTurnModel !== null;
  const engine: Engine = createEngine({
    transport,
    audioIn,
    audioOut,
    face,
    recording: createRecording({ folder: join(settings.dataDir, 'recordings'), log }),
    fetch: guarded.fetch,
    mcp: settings.mcp,
    privateHosts: allowedHosts,
    endOfTurnModelAvailable,
    traces: settings.traces ?? false,
    sink,
    journals,
    log,
    capacity,
  });
  const videos = createAvatarVideos({ face, synthesizers, timers: systemTimers });
  const keepMemory = releaseMemoryWhenIdle(() => engine.liveSessions() === 0, systemTimers, PROCESS_MEMORY);
  const hasPlace = (): boolean => capacity.state(engine.liveSessions()).refusal === null;
  const spoken = new SpokenConversations({ audioIn, audioOut, synthesizers, endOfTurnModelAvailable, hasPlace, log });
  return {
    ...engine,
    ...avatarFunctions(face, videos),
    udpPort: transport.udpPort,
    tcpPort: transport.tcpPort,
    recognizedLanguages: audioIn.languages,
    speakText: (request) => speakText(request, synthesizers, systemTimers),
    holdSpokenConversation: (request) => spoken.hold(request),
    photoAvatars,
    async close() {
      keepMemory();
      capacity.close();
      await Promise.all([videos.close(), photoAvatars.close()]);
      await engine.close();
      await Promise.all([...Object.values(synthesizers).map((synthesizer) => synthesizer.close()), guarded.close()]);
    },
  };
}

function synthesizersOf(settings: EngineSettings, latencies: LatencyTable): ReturnType<typeof openSynthesizers> {
  return openSynthesizers(settings.tts, {
    neural: settings.local?.voices ?? [],
    offlineFallback: settings.offlineFallback,
    told: settings.toldVoices,
    latencies,
  });
}

function audioInOf(settings: EngineSettings, latencies: LatencyTable, log: Logger): RunningAudioIn {
  const { recognizers, keyTerms, modelsDir, noise, endOfTurnModel } = settings;
  const localRecognizers = settings.local?.recognizers;
  return createAudioIn({ recognizers, keyTerms, modelsDir, localRecognizers, noise, endOfTurnModel, latencies, log });
}

function faceOf(settings: EngineSettings, photoFolder: PhotoFolder, log: Logger): FaceEngine {
  const { idleLoops, sharedPhotos = null, lipSyncModel = null } = settings;
  return createFace({
    cacheDir: join(settings.dataDir, 'avatars'),
    photosDir: photosIn(settings.dataDir),
    photos: new FetchedPhotos({ folder: photoFolder, shared: sharedPhotos, log, timers: systemTimers }),
    ...(idleLoops !== undefined && { idleLoops }),
    lipSyncModel,
    log,
  });
}

function capacityOf(
  settings: EngineSettings,
  { face, liveSessions }: { readonly face: FaceEngine; readonly liveSessions: () => number },
  log: Logger,
): Capacity {
  return watchCapacity({
    wanted: settings.capacity,
    siblings: settings.siblings,
    dataDir: settings.dataDir,
    liveSessions,
    framesLateMs: () => face.framesLateMs(),
    work: localWork(settings),
    save: face.save,
    encodeWith: face.encodeWith,
    log,
    timers: systemTimers,
  });
}

function localWork({ recognizers: [first], tts, local }: EngineSettings): LocalWork {
  const [recognizer, voice] = [local?.recognizers[0], local?.voices[0]];
  // A second of sound takes less time with more threads, and no less work.
  const cost = (model: { readonly id: string; readonly threads: number } | undefined): number | null => {
    const seconds = local?.speeds[model?.id ?? ''];
    return seconds === undefined ? null : seconds * (model?.threads ?? 1);
  };
  return {
    recognizesHere: first !== undefined && isLocal(first),
    readingFactor: first?.provider === NEURAL_STT ? cost(recognizer && mainModel(recognizer)) : null,
    speaksHere: tts.length === 0 && voice !== undefined,
    speakingFactor: cost(voice?.model),
  };
}

/** What is shown of avatars outside of sessions. */
function avatarFunctions(
  face: FaceEngine,
  videos: ReturnType<typeof createAvatarVideos>,
): Pick<
  RunningEngine,
  'renderPoster' | 'drawAvatarAhead' | 'undrawnAvatars' | 'renderAvatarVideo' | 'renderIdleVideo' | 'forgetAvatar'
> {
  return {
    renderPoster: (engineKey, width, height) => face.renderPoster(engineKey, width, height),
    drawAvatarAhead: face.drawAhead,
    undrawnAvatars: face.undrawn,
    renderAvatarVideo: (request) => videos.render(request),
    renderIdleVideo: (request) => videos.renderIdle(request),
    forgetAvatar: face.forget,
  };
}
