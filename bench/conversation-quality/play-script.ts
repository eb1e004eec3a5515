import type { Conversation, UserEvent } from './measures.ts';
import { Random } from './random.ts';
import type { Act, Script } from './script.ts';
import { benchConfig } from './session-config.ts';
import { MISTAKES, openSimulation } from './simulation.ts';
import { roomWindow, audioOf, type Audio } from './user-audio.ts';

/** How long a user waits for the persona. After that, the act does not take place. */
const ACT_TIMEOUT_MS = 12_000;
/** Time after the last act, long enough for every measuring window. */
const AFTERMATH_MS = 5_000;
/** Wrong words of ten, for a user who turns away. */
const MISTAKES_FAR = 0.25;
const FAR_DB = -8;

interface Running {
  readonly act: Act;
  readonly audio: Audio;
  readonly startedAt: number;
  window: number;
  word: number;
}

/** Plays a script against a session on a simulated clock. The same script gives the same conversation. */
export function playScript(script: Script): Conversation {
  const random = new Random(script.seed ^ 0x5eed);
  const { clock, session, services, listen } = openSimulation(benchConfig(), script.name, script.seed);
  const events: UserEvent[] = [];
  const waiting = [...script.acts];
  let running: Running | null = null;
  let quietSince = 0;
  let personaSince = 0;
  let personaSpoke = false;
  let missed = 0;
  for (;;) {
    const now = clock.now();
    if (services.speaking !== personaSpoke) {
      personaSpoke = services.speaking;
      personaSince = now;
    }
    if (running === null) {
      const act = waiting[0];
      const since = Math.max(quietSince, personaSince);
      if (act === undefined) {
        if (now - quietSince > AFTERMATH_MS) break;
      } else if ((act.when.persona === 'speaking') === services.speaking && now - since >= act.when.afterMs) {
        waiting.shift();
        services.answer = act.answer;
        running = { act, audio: audioOf(act, random), startedAt: now, window: 0, word: 0 };
        events.push(eventOf(act, running.audio, now));
      } else if (
        (act.when.persona === 'speaking') !== services.speaking &&
        now - since > (act.when.persona === 'silent' ? 3 : 1) * ACT_TIMEOUT_MS
      ) {
        waiting.shift();
        missed += 1;
        quietSince = now;
      }
    }
    listen(running?.audio.windows[running.window] ?? roomWindow(random));
    if (running !== null) {
      running.window += 1;
      const { words, windows } = running.audio;
      for (
        let word = words[running.word];
        word !== undefined && word.endMs <= clock.now() - running.startedAt;
        word = words[running.word]
      ) {
        services.hear(word.text, running.act.levelDb <= FAR_DB ? MISTAKES_FAR : MISTAKES);
        running.word += 1;
      }
      if (running.window >= windows.length) {
        quietSince = clock.now();
        running = null;
      }
    }
  }
  session.stop();
  return { name: script.name, lengthMs: clock.now(), events, persona: services.track, missed };
}

/** @param at when it begins, ms. */
function eventOf({ kind }: Act, { lengthMs, pauses }: Audio, at: number): UserEvent {
  return {
    kind,
    startMs: at,
    endMs: at + lengthMs,
    pauses: pauses.map(({ startMs, endMs }) => ({ startMs: at + startMs, endMs: at + endMs })),
  };
}
