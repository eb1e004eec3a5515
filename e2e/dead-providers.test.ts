import { afterEach, describe, expect, it } from 'vitest';
import { createPocketSphinx } from '../models/stt/pocketsphinx.ts';
import { childProcesses } from '../models/testing/child-processes.ts';
import { differingWords, spoken } from '../models/testing/sounds.ts';
import { chunks, personaTurnsEnded } from './support/chunks.ts';
import { recognizerService, storyLlm, voiceService, type KillableProvider } from './support/killable-providers.ts';
import { connectSdk, type SdkSession } from './support/sdk-session.ts';
import { startService, type RunningService } from './support/service.ts';

const STORY =
  'In the morning the elephant walked down to the river. There it met a hungry monkey with seven yellow bananas. ' +
  'In the evening they danced together.';
/** Words of each sentence that a recognizer rarely mistakes, each in one place of the story. */
const MARKS = [
  ['morning', 'elephant', 'river'],
  ['hungry', 'monkey', 'seven', 'bananas'],
  ['evening', 'danced', 'together'],
];
const LLM_DIES_AFTER = 'In the evening they';
const VOICE_DIES_IN = 'hungry monkey';
const QUESTION = 'Can you tell me what the weather is like today?';

interface Turn {
  readonly providers: Readonly<Record<'stt' | 'llm' | 'tts', readonly string[]>>;
}

/** Services that are killed in mid-turn, with the public client in a real browser at the other end. */
describe('a turn goes on when', () => {
  const services: KillableProvider[] = [];
  let service: RunningService;
  let session: SdkSession | undefined;
  let persona: Record<string, unknown>;
  let first: Awaited<ReturnType<typeof storyLlm>>;
  let second: Awaited<ReturnType<typeof storyLlm>>;

  async function start(providers: {
    readonly recognizer?: KillableProvider;
    readonly voice?: KillableProvider;
  }): Promise<void> {
    services.push(first, second, ...Object.values(providers));
    const { recognizer, voice } = providers;
    service = await startService({
      env: {
        PARLEY_LLM_BASE_URL: `${first.url}/v1`,
        PARLEY_LLM_MODEL: 'first',
        PARLEY_LLM_FALLBACK_PROVIDER: 'openai',
        PARLEY_LLM_FALLBACK_BASE_URL: `${second.url}/v1`,
        PARLEY_LLM_FALLBACK_MODEL: 'second',
        ...(recognizer && {
          PARLEY_STT_PROVIDER: 'deepgram',
          PARLEY_STT_BASE_URL: recognizer.url,
          PARLEY_STT_API_KEY: 'key',
        }),
        ...(voice && { PARLEY_TTS_BASE_URL: `${voice.url}/v1`, PARLEY_TTS_API_KEY: 'key' }),
      },
    });
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    persona = {
      name: 'Ada',
      avatarId: data[0]?.id,
      skipGreeting: true,
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    };
  }

  afterEach(async () => {
    await session?.close();
    session = undefined;
    await service?.stop();
    for (const provider of services.splice(0)) provider.kill();
  });

  /** @param ask what the user does. @returns all that is known of the turn afterwards, at both ends. */
  async function turn(ask: (session: SdkSession) => Promise<unknown>) {
    const live = (session = await connectSdk(service, { personaConfig: persona }));
    await live.until('DATA_CHANNEL_OPEN', (events) => events.some(({ event }) => event === 'DATA_CHANNEL_OPEN'));
    await live.record();
    await ask(live);
    await live.until('the answer', (events) => personaTurnsEnded(events) >= 1);
    const events = await live.events();
    await expect.poll(async () => voicedSeconds(await live.recorded(0.5))).toBe(0);
    const sound = await live.recorded();
    await live.call('stopStreaming');
    const { sessionId } = live;
    const read = <T>(what: string) => service.api<T>('GET', `/v1/sessions/${sessionId}${what}`);
    await expect.poll(async () => (await read<{ endTime: string | null }>('')).endTime).not.toBeNull();
    const { messages } = await read<{ messages: { role: string; message: string }[] }>('/transcript');
    const { summary, turns } = await read<{ summary: { totalWarnings: number }; turns: Turn[] }>('/analytics');
    return {
      sound,
      providers: turns.at(-1)?.providers,
      transcript: messages.map(({ role, message }) => `${role}: ${message}`),
      captions: chunks(events)
        .filter(({ role }) => role === 'persona')
        .map(({ content }) => content)
        .join(''),
      warnings: events.filter(({ event }) => event === 'SERVER_WARNING').map(({ args }) => String(args[0])),
      totalWarnings: summary.totalWarnings,
    };
  }

  /** The story reached the ear: every word of it, once, and not more. */
  async function expectStoryHeard(sound: Int16Array): Promise<void> {
    const heard = await understand(withoutSilenceAround(sound));
    const marks = (heard.match(/\S+/gu) ?? []).filter((word) => MARKS.flat().includes(word));
    // In the story's order, and none twice. One word of a sentence may be mistaken.
    expect(marks, heard).toEqual(MARKS.flat().filter((mark) => marks.includes(mark)));
    for (const sentence of MARKS)
      expect(sentence.filter((mark) => marks.includes(mark)).length, heard).toBeGreaterThanOrEqual(sentence.length - 1);
    expectLengthOfStory(sound);
  }

  function expectLengthOfStory(sound: Int16Array): void {
    expect(voicedSeconds(sound) / voicedSeconds(spoken(STORY))).toBeGreaterThan(0.8);
    expect(voicedSeconds(sound) / voicedSeconds(spoken(STORY))).toBeLessThan(1.3);
  }

  // In every run, without a service: models/llm/fallback.test.ts and actors/reply/broken-answer.test.ts.
  it('the LLM is killed in the middle of a sentence', { tags: ['nightly'] }, async () => {
    [first, second] = [await storyLlm(STORY, LLM_DIES_AFTER), await storyLlm(STORY)];
    await start({});
    const after = await turn((live) => live.call('sendUserMessage', 'Tell me a story.'));
    expect(first.isAlive).toBe(false);
    expect(after.captions).toBe(STORY);
    expect(after.transcript).toEqual(['user: Tell me a story.', `persona: ${STORY}`]);
    // The next one continues behind the last whole sentence that had arrived.
    const arrived = [...STORY.matchAll(/\. (?=There|In)/gu)].map(({ index }) => STORY.slice(0, index + 1));
    expect(second.asked[0]?.at(-2)?.role).toBe('assistant');
    expect(arrived).toContain(second.asked[0]?.at(-2)?.content);
    await expectStoryHeard(after.sound);
    expect(after.providers?.llm).toEqual(['openai first', 'openai second']);
    expect(after.warnings).toEqual([
      expect.stringContaining('broke off; the rest was asked for'),
      expect.stringContaining('another one has taken over'),
    ]);
    expect(after.totalWarnings).toBe(2);
  });

  // In every run, without a service: models/tts/fallback.test.ts and models/stt/fallback.test.ts.
  it('the voice is killed in the middle of a sentence', { tags: ['nightly'] }, async () => {
    [first, second] = [await storyLlm(STORY), await storyLlm(STORY)];
    const voice = await voiceService(VOICE_DIES_IN);
    await start({ voice });
    const after = await turn((live) => live.call('sendUserMessage', 'Tell me a story.'));
    expect(voice.isAlive).toBe(false);
    expect(voice.said.join(' ')).toContain(VOICE_DIES_IN);
    expect(after.captions).toBe(STORY);
    expect(after.transcript).toEqual(['user: Tell me a story.', `persona: ${STORY}`]);
    await expectStoryHeard(after.sound);
    expect(after.providers?.tts).toEqual(['openai', 'offline']);
    expect(after.warnings).toEqual([expect.stringContaining('another voice has taken over')]);
    expect(after.totalWarnings).toBe(1);
  });

  it('the recognizer is killed while the user speaks', { tags: ['nightly'] }, async () => {
    [first, second] = [await storyLlm(STORY), await storyLlm(STORY)];
    const recognizer = await recognizerService(1);
    await start({ recognizer });
    const after = await turn((live) => live.say(QUESTION));
    expect(recognizer.isAlive).toBe(false);
    const [asked = '', ...answers] = after.transcript;
    expect(differingWords(`user ${QUESTION}`, asked), asked).toBeLessThanOrEqual(2);
    // Words that changed at the end are asked again: the first answer was preemptive, and nobody heard it.
    expect(first.asked.at(-1)?.at(-1)?.content).toBe(asked.replace('user: ', ''));
    expect(answers).toEqual([`persona: ${STORY}`]);
    expect(after.captions).toBe(STORY);
    expectLengthOfStory(after.sound);
    expect(after.providers?.stt).toEqual(['pocketsphinx']);
    expect(after.warnings).toEqual([expect.stringContaining('another recognizer has taken over')]);
    expect(after.totalWarnings).toBe(1);
  });

  it('its own processes are killed: the recognizer while the user speaks, the voices when the persona begins', async () => {
    [first, second] = [await storyLlm(STORY), await storyLlm(STORY)];
    await start({});
    const killed = { recognizers: 0, voices: 0 };
    const after = await turn(async (live) => {
      const said = live.say(QUESTION);
      await live.until('speech', (events) => events.some(({ event }) => event === 'USER_SPEECH_STARTED'));
      killed.recognizers = killProcesses(service, 'pocketsphinx-process');
      await said;
      // Words that changed at the end are asked again, at once.
      await expect.poll(() => first.asked.length).toBeGreaterThan(0);
      killed.voices = killProcesses(service, 'flite-process');
    });
    expect(killed).toEqual({ recognizers: 1, voices: expect.toSatisfy((count: number) => count > 0) });
    const [asked = '', ...answers] = after.transcript;
    expect(differingWords(`user ${QUESTION}`, asked), asked).toBeLessThanOrEqual(2);
    expect(answers).toEqual([`persona: ${STORY}`]);
    expect(after.captions).toBe(STORY);
    await expectStoryHeard(after.sound);
    expect(after.warnings).toEqual([]);
  });
});

/** @returns how many processes of this kind the service had. */
function killProcesses({ pid }: RunningService, file: string): number {
  const found = childProcesses(file, pid);
  for (const id of found) process.kill(id, 'SIGKILL');
  return found.length;
}

async function understand(sound: Int16Array): Promise<string> {
  const recognizer = createPocketSphinx();
  try {
    const final = Promise.withResolvers<string>();
    const handlers = { partial: () => undefined, final: final.resolve, failed: final.reject };
    const stream = recognizer.open({ language: 'en', keyTerms: [], handlers });
    for (let at = 0; at < sound.length; at += 8_000) stream.write(sound.slice(at, at + 8_000));
    stream.finish();
    return await final.promise;
  } finally {
    await recognizer.close();
  }
}

/** Samples of 20 ms at 16 kHz. */
const PIECE = 320;
/** A recognizer wants to hear how quiet it is before the first word, samples. */
const MARGIN = 8_000;

/** Where the pieces of 20 ms begin that are louder than the breath between words. */
function voicedPieces(sound: Int16Array): number[] {
  const voiced: number[] = [];
  for (let at = 0; at + PIECE <= sound.length; at += PIECE) {
    const piece = sound.subarray(at, at + PIECE);
    const power = piece.reduce((sum, sample) => sum + sample * sample, 0) / piece.length;
    if (power > 300 * 300) voiced.push(at);
  }
  return voiced;
}

const voicedSeconds = (sound: Int16Array): number => voicedPieces(sound).length * 0.02;

/** The recognizer takes as long for a second of silence as for one of speech. */
function withoutSilenceAround(sound: Int16Array): Int16Array {
  const voiced = voicedPieces(sound);
  return sound.slice(Math.max(0, (voiced[0] ?? 0) - MARGIN), (voiced.at(-1) ?? 0) + MARGIN);
}
