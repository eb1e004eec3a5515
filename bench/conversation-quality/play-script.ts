import { createSession } from '../../actors/session/create-session.ts';
import { seededIds } from '../../actors/kernel/seeded-ids.ts';
import { SteppingClock } from '../../actors/kernel/stepping-clock.ts';
import type { Conversation, UserEvent } from './measures.ts';
import { Random } from './random.ts';
import type { Act, Script } from './script.ts';
import { SimulatedServices } from './simulated-services.ts';
import { benchConfig } from './session-config.ts';
import { WINDOW_MS } from '../../actors/vad/vad-window.ts';
import { roomWindow, audioOf, type Audio } from './user-audio.ts';

/** Time from the last sample of a window to its VAD result: decoding, filtering and one run of the model. */
const VAD_DELAY_MS = 12;
/** How long a user waits for the persona. After that, the act does not take place. */
const ACT_TIMEOUT_MS = 12_000;
/** Time after the last act, long enough for every measuring window. */
const AFTERMATH_MS = 5_000;
/** Wrong words of ten, for a user at the microphone. There are more for a user who turns away. */
const MISTAKES = 0.06;
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
  const clock = new SteppingClock();
  const session = createSession({
    config: benchConfig(),
    clock,
    ids: seededIds(script.name),
    startedAtWall: 0,
    endOfTurnModelAvailable: false,
    perform: (command) => services.perform(command),
  });
  const services: SimulatedServices = new SimulatedServices(clock, new Random(script.seed ^ 0xace), (event) =>
    session.dispatch(event),
  );
  for (const event of [
    { type: 'socket.opened' },
    { type: 'offer.received', kind: 'first' },
    { type: 'peer.connected', kind: 'first' },
    { type: 'channel.opened' },
    { type: 'pipeline.ready' },
    { type: 'media.started' },
  ] as const)
    session.dispatch(event);

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
        events.push({
          kind: act.kind,
          startMs: now,
          endMs: now + running.audio.lengthMs,
          pauses: running.audio.pauses.map((pause) => ({ startMs: now + pause.startMs, endMs: now + pause.endMs })),
        });
      } else if (
        (act.when.persona === 'speaking') !== services.speaking &&
        now - since > (act.when.persona === 'silent' ? 3 : 1) * ACT_TIMEOUT_MS
      ) {
        waiting.shift();
        missed += 1;
        quietSince = now;
      }
    }
    const window = running?.audio.windows[running.window] ?? roomWindow(random);
    clock.advance(WINDOW_MS);
    const endsAt = clock.now();
    clock.setTimeout(
      () => session.dispatch({ type: 'vad.window', probability: window.probability, levelDb: window.levelDb, endsAt }),
      VAD_DELAY_MS,
    );
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
