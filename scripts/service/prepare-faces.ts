import type { Catalogue } from '../../control/index.ts';
import type { RunningEngine, Logger } from '../../engine/index.ts';

/** What personas show unless they ask for more. */
const CLASSIC = { width: 720, height: 480 } as const;
/** Whoever opens the console at once is not slowed down by faces that nobody has asked for. */
const QUIET_MS = 15_000;

/**
 * A face is drawn before its first conversation, which takes seconds, and kept on disk. This does it ahead of the first
 * caller: the first face at once, at the first start the others too, one at a time and only while nobody talks.
 * @param firstStart no face has been drawn yet. @param say shows a line to the person who started the service.
 */
export function prepareFaces(options: {
  engine: RunningEngine;
  catalogue: Catalogue;
  firstStart: boolean;
  say: (text: string) => void;
  log: Logger;
}): { close(): void } {
  const {
    engine,
    catalogue: { avatars },
    firstStart,
    say,
    log,
  } = options;
  const faces = firstStart ? avatars : avatars.slice(0, 1);
  const closing = new AbortController();

  async function prepareAll(): Promise<void> {
    for (const [index, { engineKey, displayName }] of faces.entries()) {
      if (index > 0) await untilQuiet(engine, closing.signal);
      if (closing.signal.aborted) return;
      if (firstStart) say(`  Drawing the faces, only this once: ${index + 1} of ${faces.length}, ${displayName}`);
      await engine.prepareAvatar(engineKey, CLASSIC.width, CLASSIC.height);
      // The list of faces is the first thing that a person sees. Its images take about three seconds, later starts read them from disk.
      if (index === 0) await Promise.all(avatars.map((face) => face.image('square')));
    }
    if (firstStart && !closing.signal.aborted) say('  All faces are drawn.');
  }
  prepareAll().catch((error: unknown) => {
    if (!closing.signal.aborted)
      log.warn({ err: error }, 'a face could not be drawn ahead; it is tried again when somebody wants to talk');
  });
  return { close: () => closing.abort() };
}

/** Resolves when there has been no session for a while. */
async function untilQuiet(engine: RunningEngine, closing: AbortSignal): Promise<void> {
  do {
    const pause = Promise.withResolvers<void>();
    const timer = setTimeout(pause.resolve, QUIET_MS);
    timer.unref();
    closing.addEventListener('abort', () => pause.resolve(), { once: true });
    await pause.promise;
    clearTimeout(timer);
  } while (!closing.aborted && engine.status().activeSessions > 0);
}
