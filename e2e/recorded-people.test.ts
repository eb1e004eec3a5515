import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { wavFile } from '../models/stt/wav.ts';
import { wordsOf } from '../models/testing/sounds.ts';
import { recordings, type Recording } from '../models/testing/speech/recordings.ts';
import { personaTurnsEnded, userTurns } from './support/chunks.ts';
import { startRecordingKnower, type RecordingKnower } from './support/recording-knower.ts';
import { connectSdk, type SdkSession } from './support/sdk-session.ts';
import { startService, type RunningService } from './support/service.ts';

/** People's recordings as the microphone: real rooms, and in one of them pauses of a second in the middle of a sentence. */
describe('people who were recorded', () => {
  let service: RunningService | undefined;
  let session: SdkSession | undefined;
  let knower: RecordingKnower | undefined;
  afterEach(async () => {
    await session?.close();
    session = undefined;
  });
  afterAll(async () => {
    await service?.stop();
    await knower?.close();
  });

  /** @returns what the persona took for the user's turns. */
  async function hear({ pcm }: Recording, running: RunningService): Promise<string[]> {
    const { data: avatars } = await running.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    session = await connectSdk(running, {
      personaConfig: {
        name: 'Ada',
        avatarId: avatars[0]?.id,
        systemPrompt: 'You are Ada.',
        skipGreeting: true,
        voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
      },
    });
    await session.until('SESSION_READY', (events) => events.some(({ event }) => event === 'SESSION_READY'));
    await session.play(wavFile([pcm], 16_000));
    await session.until('an answer after the recording', (events) => personaTurnsEnded(events) >= 1);
    return userTurns(await session.events()).map(({ content }) => content);
  }

  describe('and understood by the offline recognizer', () => {
    it.each(recordings())('say $name in one turn', async (recording) => {
      service ??= await startService();
      const turns = await hear(recording, service);
      expect(turns).toHaveLength(1);
      // Many of them are wrong.
      expect(wordsOf(turns[0] ?? '').length).toBeGreaterThan(wordsOf(recording.words).length * 0.7);
    });
  });

  describe('and understood word for word', () => {
    it.each(recordings())('are heard without a gap: $name', async (recording) => {
      await service?.stop();
      await knower?.close();
      knower = await startRecordingKnower(recording);
      service = await startService({ env: { PARLEY_STT_PROVIDER: 'openai', PARLEY_STT_BASE_URL: knower.url } });
      expect(await hear(recording, service)).toEqual([recording.words]);
    });
  });
});
