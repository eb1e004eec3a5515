import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testConfig } from '../../actors/testing/session-config.ts';
import { createOfflineLlm } from '../../models/llm/offline-llm.ts';
import { fakeRecognizer } from '../../models/fakes/index.ts';
import { openSynthesizers } from '../../models/tts/registry.ts';
import { systemTimers } from '../../runtime/clock.ts';
import { createAudioIn, type RunningAudioIn } from '../audio-in/index.ts';
import { createAudioOut } from '../audio-out/index.ts';
import { SpokenConversations } from './spoken-conversations.ts';

/** In real time, with the real voices, noise filter and VAD; what the recognizer hears is scripted. */

const log = pino({ level: 'silent' });
const synthesizers = openSynthesizers([], { neural: [], offlineFallback: true });
const audioOut = createAudioOut({ synthesizers, timers: systemTimers, log });
const UTTERANCES = ['what can you help me with', 'goodbye'];
let [audioIn, lateAudioIn]: RunningAudioIn[] = [];
beforeAll(async () => {
  audioIn = createAudioIn({ recognizers: [fakeRecognizer({ utterances: UTTERANCES })], log });
  const lateRecognizer = fakeRecognizer({ utterances: UTTERANCES, finalMs: 60_000, wordMs: 60_000 });
  lateAudioIn = createAudioIn({ recognizers: [lateRecognizer], log });
  await Promise.all([audioIn.ready(), lateAudioIn.ready()]);
});
afterAll(async () => {
  await Promise.all([audioIn!.close(), lateAudioIn!.close(), audioOut.close()]);
  await Promise.all(Object.values(synthesizers).map((synthesizer) => synthesizer.close()));
});

const VOICE = { voiceId: null, family: 'local', provider: 'LOCAL', providerVoiceId: 'slt' } as const;
/** Half a minute: a machine that is busy hears the user late. */
const HOTEL =
  'We have rooms with a view of the sea, a sauna, a library with a fireplace, and a breakfast that is known in the whole town. ';
const GREETING = `Welcome to the Harbor Hotel. ${HOTEL.repeat(4)}`;

const hold = (audioIn: RunningAudioIn) => {
  const spoken = new SpokenConversations({
    audioIn,
    audioOut,
    synthesizers,
    endOfTurnModelAvailable: false,
    hasPlace: () => true,
    log,
  });
  const waiting = ['What can you help me with?', 'Thank you. Goodbye.'];
  return spoken.hold({
    config: testConfig({
      voice: { ...VOICE, tuning: {} },
      greeting: { skip: false, initialMessage: GREETING, uninterruptible: false },
    }),
    llm: createOfflineLlm(),
    user: { next: async () => waiting.shift() ?? null },
    sound: { noise: 'fan', voiceToNoiseDb: 20, interruptions: [{ line: 1, afterMs: 1500 }] },
    voice: { provider: 'LOCAL', providerVoiceId: 'rms', language: 'en' },
    runTool: async () => ({ error: 'no tools here' }),
    signal: new AbortController().signal,
  });
};

it('interrupts the persona, in the noise of a room, and is answered', async () => {
  const held = await hold(audioIn!);
  const [greeting, question, answer] = held.messages;
  expect(greeting).toMatchObject({ role: 'persona', interrupted: true });
  expect(GREETING.startsWith(greeting!.text)).toBe(true);
  expect(question).toMatchObject({ role: 'user', text: 'what can you help me with' });
  expect(answer).toMatchObject({ role: 'persona', text: expect.stringMatching(/\w/) });
  expect(held.end?.reason).toBe('client_disconnected');
});

/**
 * On a machine at load 20 a line over the greeting seemed to be unheard: its words came after the engine had given them
 * up.
 */
it('says that the machine is too busy when words come too late, and does not judge the persona', async () => {
  await expect(hold(lateAudioIn!)).rejects.toThrow('The recognizer did not keep up');
});
