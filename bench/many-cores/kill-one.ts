import { setTimeout as pause } from 'node:timers/promises';
import type { RunningService } from '../../e2e/support/service.ts';
import { engineNow } from '../../runtime/clock.ts';
import { quantile } from '../lib/statistics.ts';
import type { Crowd } from './crowd.ts';

/** A client holds its session for so long, ms. */
const BACK_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 1_000;
/** A call that was silent for so long was one of the killed process, ms. */
const INTERRUPTED_MS = 500;

export interface Killed {
  /** Calls of the killed process, as it told last. */
  readonly had: number;
  readonly interrupted: number;
  /** How long those heard nothing, ms. */
  readonly silenceP50: number;
  readonly silenceMost: number;
  /** Calls that were dead at the end. */
  readonly lost: number;
  /** Frames that came too late or never, of all calls, in the seconds after the death. */
  readonly missedPercent: number;
}

interface Readiness {
  readonly engines: readonly { readonly pid: number | null; readonly activeSessions?: number }[];
}

/** Kills the engine process with most calls, and waits until all go on, or time is up. */
export async function killOne(service: RunningService, crowd: Crowd): Promise<Killed> {
  const answer = (await (await fetch(`${service.url}/readyz`)).json()) as Readiness;
  const [fullest] = answer.engines
    .filter(({ pid }) => pid !== null)
    .toSorted((a, b) => (b.activeSessions ?? 0) - (a.activeSessions ?? 0));
  const { dead: before } = await crowd.heard(engineNow());
  const since = engineNow();
  process.kill(fullest!.pid!, 'SIGKILL');
  let heard = null;
  do {
    await pause(LOOK_EVERY_MS);
    heard = await crowd.heard(since);
  } while (heard.dead > before && engineNow() < since + BACK_WITHIN_MS);
  const silences = heard.silences.filter((ms) => ms > INTERRUPTED_MS);
  const { late, missed } = heard.frames.video;
  return {
    had: fullest?.activeSessions ?? 0,
    interrupted: silences.length,
    silenceP50: quantile(silences, 0.5),
    silenceMost: quantile(silences, 1),
    lost: heard.dead - before,
    missedPercent: (100 * missed) / Math.max(1, missed + late.length),
  };
}
