import { setTimeout as pause } from 'node:timers/promises';
import type { Catalogue, AvatarPrerendering } from '../../control/index.ts';
import type { RunningEngine, Logger } from '../../engine/index.ts';

/** The default video size of personas. */
const CLASSIC = { width: 720, height: 480 } as const;
/** The console of a new service is not slowed down by faces that nobody has requested. */
const QUIET_MS = 15_000;

/** The avatars of the catalogue, drawn before a session shows them. */
export interface AvatarPrerenderer extends AvatarPrerendering {
  /** @param say shows a line to the person who started the service. */
  start(say: (text: string) => void): void;
  close(): void;
}

/**
 * Each face is drawn once, which takes seconds, and stored on disk. This draws them before the first conversations: the
 * first face at once, the others one at a time and only while nobody talks.
 * @param options.all draws all faces, not only the first one. @param options.quietMs time without any session before
 * the next face is drawn. @defaultValue 15,000
 */
export function prerenderAvatars(options: {
  engine: Pick<RunningEngine, 'drawAvatarAhead' | 'undrawnAvatars' | 'liveSessions'>;
  avatars: Catalogue['avatars'];
  all: boolean;
  log: Pick<Logger, 'warn'>;
  quietMs?: number;
}): AvatarPrerenderer {
  const { engine, avatars, all, log, quietMs = QUIET_MS } = options;
  const closing = new AbortController();
  let drawing = true;
  let drawn = 0;

  async function drawAll(say: (text: string) => void): Promise<void> {
    const [first, ...others] = avatars;
    if (first === undefined) return;
    const keys = avatars.map(({ engineKey }) => engineKey);
    const undrawn = new Set(await engine.undrawnAvatars(keys, CLASSIC.width, CLASSIC.height));
    drawn = avatars.length - undrawn.size;
    if (undrawn.has(first.engineKey)) await drawOne(first, say);
    // From the disk: the first session need not wait even for that.
    else await engine.drawAvatarAhead(first.engineKey, CLASSIC.width, CLASSIC.height, 'in memory');
    if (!all || undrawn.size === 0) return;
    // The list of faces is the first thing that a person sees. Its images take about three seconds, later starts read
    // them from disk.
    await Promise.all(avatars.map((face) => face.image('square')));
    for (const face of others) {
      if (!undrawn.has(face.engineKey)) continue;
      await untilQuiet(engine, quietMs, closing.signal);
      if (closing.signal.aborted) return;
      await drawOne(face, say);
    }
    say('  All faces are drawn.');
  }

  async function drawOne(face: Catalogue['avatars'][number], say: (text: string) => void): Promise<void> {
    say(`  Drawing the faces, only this once: ${drawn + 1} of ${avatars.length}, ${face.displayName}`);
    await engine.drawAvatarAhead(
      face.engineKey,
      CLASSIC.width,
      CLASSIC.height,
      face === avatars[0] ? 'in memory' : 'on disk',
    );
    drawn++;
  }

  return {
    status: () => ({ drawing, drawn, total: avatars.length }),
    start(say) {
      drawAll(say)
        .catch((error: unknown) => {
          if (!closing.signal.aborted)
            log.warn({ err: error }, 'a face could not be drawn ahead; it is tried again when somebody wants to talk');
        })
        .finally(() => (drawing = false));
    },
    close: () => closing.abort(),
  };
}

/** Resolves when there has been no session for a while. */
async function untilQuiet(
  engine: Pick<RunningEngine, 'liveSessions'>,
  quietMs: number,
  closing: AbortSignal,
): Promise<void> {
  do {
    await pause(quietMs, undefined, { signal: closing, ref: false }).catch(() => {});
  } while (!closing.aborted && engine.liveSessions() > 0);
}
