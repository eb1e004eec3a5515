import { afterAll, beforeAll, describe, it } from 'vitest';
import { wavFile } from '../models/stt/wav.ts';
import { wordsOf } from '../models/testing/sounds.ts';
import { recordings, type Recording } from '../models/testing/speech/recordings.ts';
import { personaTurnsEnded, userTurns } from './support/chunks.ts';
import { startKnownRecordingsStt, type KnownRecordingsStt } from './support/known-recordings-stt.ts';
import { connectSdk } from './support/sdk-session.ts';
import { startService, type RunningService } from './support/service.ts';

// In every run, without a browser: actors/floor/recorded-pauses.test.ts and models/stt/pocketsphinx.long.test.ts.
/**
 * People's recordings as the microphone: real rooms, and in one of them pauses of a second in the middle of a sentence.
 */
describe('people who were recorded', () => {
  /** @returns what the persona took for the user's turns. */
  async function hear({ pcm }: Recording, service: RunningService): Promise<string[]> {
    const { data: avatars } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    const session = await connectSdk(service, {
      personaConfig: {
        name: 'Ada',
        avatarId: avatars[0]?.id,
        systemPrompt: 'You are Ada.',
        skipGreeting: true,
        voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
      },
    });
    try {
      await session.until('SESSION_READY', (events) => events.some(({ event }) => event === 'SESSION_READY'));
      await session.play(wavFile([pcm], 16_000));
      await session.until('an answer after the recording', (events) => personaTurnsEnded(events) >= 1);
      return userTurns(await session.events()).map(({ content }) => content);
    } finally {
      await session.close();
    }
  }

  describe('and understood by the offline recognizer', () => {
    let service: RunningService;
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service?.stop());

    // One after the other: the recognizer needs a core for a while.
    it.for(recordings())('say $name in one turn', { tags: ['nightly'] }, async (recording, { expect }) => {
      const turns = await hear(recording, service);
      expect(turns, turns.join(' | ')).toHaveLength(1);
      // Many of them are wrong.
      expect(wordsOf(turns[0] ?? '').length).toBeGreaterThan(wordsOf(recording.words).length * 0.7);
    });
  });

  describe('and understood word for word', () => {
    let stt: KnownRecordingsStt;
    let service: RunningService;
    beforeAll(async () => {
      stt = await startKnownRecordingsStt(recordings());
      service = await startService({ env: { PARLEY_STT_PROVIDER: 'openai', PARLEY_STT_BASE_URL: stt.url } });
    });
    afterAll(async () => {
      await service?.stop();
      await stt?.close();
    });

    it.concurrent.for(recordings())(
      'are heard without a gap: $name',
      { tags: ['nightly'] },
      async (recording, { expect }) => {
        expect(await hear(recording, service)).toEqual([recording.words]);
      },
    );
  });
});
