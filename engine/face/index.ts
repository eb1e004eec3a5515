import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { shareOfProcess } from '../../runtime/process-share.ts';
import { systemTimers, type Timers } from '../../runtime/clock.ts';
import type { Face, FaceStream } from '../ports.ts';
import { StartError } from '../../runtime/start-error.ts';
import { startWhenPrepared } from './start-when-prepared.ts';
import { MAX_AVATAR_BYTES } from './avatar-memory.ts';
import { DEFAULT_EXPRESSIVITY } from './animation/expression.ts';
import { bitrateCeiling, type MotionPrecision } from './encode/video-encoder.ts';
import type { Logger } from '../../runtime/log.ts';
import { createFaceStream } from './face-stream.ts';
import type { StreamHost } from './face-stream.ts';
import { createLoopLibrary } from './loop-library.ts';
import { roundExpressivity } from './prepare/idle-loop.ts';
import type { FetchedPhotos } from './photo/fetched-photos.ts';
import { createPreparer } from './prepare/preparer.ts';
import { PreparedAvatars } from './prepared-avatars.ts';
import type { PreparedMemory } from './rendering/prepared-memory.ts';
import { createWorkerPool } from './worker-pool.ts';
import type { StreamLook, WorkerStats } from './worker/protocol.ts';
import type { LoadShedding } from './worker/load-shedding.ts';

export { VIDEO_SIZES } from './video-sizes.ts';
export { bitrateCeiling } from './encode/video-encoder.ts';
export { AVATAR_CATALOGUE } from './avatars/catalogue.ts';
export { FetchedPhotos, type SharedPhotos } from './photo/fetched-photos.ts';
export { PhotoFolder, type KeptPhoto } from './photo/photo-folder.ts';
export { DISCLOSURE_TEXT } from './disclosure-text.ts';
export type { WorkerStats } from './worker/protocol.ts';
export type { MotionPrecision } from './encode/video-encoder.ts';
export { copyOf } from './rendering/prepared-memory.ts';
export { LOAD_SHEDDING, type LoadShedding } from './worker/load-shedding.ts';

/** The rate with which `auto` starts before the network has been measured. */
const AUTO_START_BITRATE = 500_000;

export interface FaceOptions {
  /** Video threads. @defaultValue the part that this process has of one per core but one */
  readonly workers?: number;
  /** Where prepared avatars and idle loops are kept. It can be emptied at any time. */
  readonly cacheDir: string;
  /** Folder of the avatars made from photos, as `engine/avatar-maker` keeps them. @defaultValue none */
  readonly photosDir?: string;
  /** Brings avatars into that folder. @defaultValue nothing does */
  readonly photos?: Pick<FetchedPhotos, 'fetch'>;
  /**
   * Path of a lip-sync model (ONNX) that moves the mouths by the sound of the speech. See `neural/lip-sync-model.ts`.
   * @defaultValue none
   */
  readonly lipSyncModel?: string | null;
  /** Whether faces at rest are shown from loops, which are drawn in spare time. @defaultValue true */
  readonly idleLoops?: boolean;
  readonly log: Logger;
  /** How much memory prepared avatars that nobody shows may use. @defaultValue `MAX_AVATAR_BYTES` */
  readonly mostAvatarBytes?: number;
  readonly timers?: Timers;
}

export interface FaceEngine extends Face {
  /** One entry per video thread, at most a second old. */
  stats(): readonly WorkerStats[];
  /** How late the video frames of sessions were in the last second or so, p99, ms. 0 when nobody is shown. */
  framesLateMs(): number;
  /** What all faces give up from now on, so that the machine has time for the rest. */
  save(shedding: LoadShedding): void;
  /** How encoders that are opened from now on follow a motion. @defaultValue 'full pixel' */
  encodeWith(motionPrecision: MotionPrecision): void;
  /**
   * The whole avatar as the video threads know it, as long as it is not given up: `copyOf` stays. @throws as `prepare`
   * does.
   */
  prepared(engineKey: string, width: number, height: number): Promise<PreparedMemory>;
  /**
   * Draws an avatar that nobody waits for, after all others. Resolves when it is whole. @param then where it stays.
   * @throws as `prepare` does.
   */
  drawAhead(engineKey: string, width: number, height: number, then: 'in memory' | 'on disk'): Promise<void>;
  /** @returns the avatars that have never been drawn in this size. @throws as `prepare` does. */
  undrawn(engineKeys: readonly string[], width: number, height: number): Promise<readonly string[]>;
  /** A still image of an avatar as JPEG. */
  renderPoster(engineKey: string, width: number, height: number): Promise<Buffer>;
  /** Drops what is held in memory of an avatar that was deleted. Sessions that show it continue. */
  forget(engineKey: string): void;
  /** Ends the first video worker, as if it had died. */
  killForTesting(): void;
  /** Ends the worker that draws, as if it had died. */
  killPreparerForTesting(): void;
}

/** Draws, animates and encodes the faces of all sessions. */
export function createFace(options: FaceOptions): FaceEngine {
  const { log, timers = systemTimers, idleLoops = true, lipSyncModel = null } = options;
  const fetch = async (engineKey: string): Promise<void> => options.photos?.fetch(engineKey);
  const hearsSpeech = lipSyncModel !== null;
  if (hearsSpeech && !existsSync(lipSyncModel))
    throw new StartError(`The lip-sync model ${lipSyncModel} does not exist.`);
  const workers = Math.max(1, options.workers ?? shareOfProcess(availableParallelism() - 1));
  const pool = createWorkerPool({ workers, log, lipSyncModel });
  const preparer = createPreparer({
    cacheDir: options.cacheDir,
    photosDir: options.photosDir ?? null,
    fetch,
    log,
    onLoop: (key, name, loop) => library.arrived(key, name, loop),
  });
  const library = createLoopLibrary(pool, () => preparer);
  const avatars = new PreparedAvatars(pool, preparer, options.mostAvatarBytes ?? MAX_AVATAR_BYTES);

  const prepare = (engineKey: string, width: number, height: number): Promise<void> =>
    avatars.prepare('session', engineKey, width, height).shown;

  const host: StreamHost = {
    send: (id, message) => pool.send(id, message),
    close: (id) => pool.close(id),
    open(stream, codec) {
      if (idleLoops) library.want({ ...stream.look, codec });
      return pool.open(stream, codec);
    },
  };

  return {
    hearsSpeech,
    fetch,
    prepare,
    prepared: (engineKey, width, height) => avatars.prepare('whole', engineKey, width, height).whole,
    async drawAhead(engineKey, width, height, then) {
      await avatars.prepare('ahead', engineKey, width, height).whole;
      if (then === 'on disk') avatars.letGo(engineKey, width, height);
    },
    undrawn: (engineKeys, width, height) => preparer.undrawn(engineKeys, width, height),
    open(session): FaceStream {
      const { engineKey, width, height, handlers } = session;
      const release = avatars.hold(engineKey, width, height);
      const stream = createFaceStream(host, lookOf(session), handlers, hearsSpeech);
      return startWhenPrepared(stream, () => prepare(engineKey, width, height), handlers, release, timers);
    },
    stats: () => pool.stats(),
    framesLateMs: () => pool.framesLateMs(),
    save: (shedding) => pool.remember('load-shedding', { type: 'load-shedding', shedding }),
    encodeWith: (motionPrecision) => pool.remember('motion precision', { type: 'motion-precision', motionPrecision }),
    forget(engineKey) {
      avatars.forget(engineKey);
      library.forget(engineKey);
    },
    renderPoster: (engineKey, width, height) => preparer.poster(engineKey, width, height),
    killForTesting: () => pool.killForTesting(),
    killPreparerForTesting: () => preparer.killForTesting(),
    close: async () => void (await Promise.all([preparer.close(), pool.shutdown()])),
  };
}

function lookOf(session: Parameters<Face['open']>[0]): StreamLook {
  const { sessionId, engineKey, width, height, disclosure, baselineStyle, expressivity, quality } = session;
  return {
    sessionId,
    engineKey,
    width,
    height,
    disclosure,
    baselineStyle,
    expressivity: roundExpressivity(expressivity ?? DEFAULT_EXPRESSIVITY),
    bitsPerSecond: quality === 'high' ? bitrateCeiling(width, height) : AUTO_START_BITRATE,
  };
}
