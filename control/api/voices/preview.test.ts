import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { VoiceSpeaker } from '../../ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

describeOnSqlite('a preview of a voice', (stores) => {
  let speak: VoiceSpeaker['speak'];
  let service: TestService;
  beforeAll(async () => {
    const voiceSpeaker: VoiceSpeaker = { speak: (request) => speak(request) };
    service = await startTestService(await stores.open(), { ports: { voiceSpeaker } });
  });
  afterAll(async () => service.close());
  beforeEach(() => {
    speak = async () => Buffer.from('RIFF');
  });
  const preview = (body: object, id = STOCK.cloudVoice, key?: string) =>
    service.send('POST', `/v1/voices/${id}/preview`, body, key);

  it('says the text with the options, in the language that is named or the voice’s own', async () => {
    const asked: object[] = [];
    speak = async (request) => {
      asked.push(request);
      return Buffer.from('RIFF of a voice');
    };
    const answer = await preview({
      text: ' Guten Tag ',
      languageCode: 'de-AT',
      voiceGenerationOptions: { speed: 1.1 },
    });
    expect(answer).toMatchObject({
      status: 200,
      text: 'RIFF of a voice',
      headers: { 'content-type': 'audio/wav', 'cache-control': 'no-store' },
    });
    await preview({ text: 'Hello' });
    expect(asked).toMatchObject([
      { provider: 'ELEVENLABS', providerVoiceId: 'abc', text: 'Guten Tag', language: 'de', tuning: { speed: 1.1 } },
      { provider: 'ELEVENLABS', providerVoiceId: 'abc', text: 'Hello', language: 'en', tuning: {} },
    ]);
  });

  it('has limits', async () => {
    expect((await preview({ text: 'x'.repeat(301) })).body.details[0].path).toBe('text');
    expect((await preview({ text: '  ' })).body.details[0].path).toBe('text');
    expect((await preview({ text: 'Hi', languageCode: 'xx' })).body.details[0].path).toBe('languageCode');
    // Of the voice's family: ElevenLabs speaks at 0.7 to 1.2.
    const fast = await preview({ text: 'Hi', voiceGenerationOptions: { speed: 1.9 } });
    expect(fast.body.details[0].path).toBe('voiceGenerationOptions.speed');
    expect((await preview({ text: 'Hi', voiceGenerationOptions: { speed: 1.9 } }, STOCK.voice)).status).toBe(200);
    expect((await preview({ text: 'Hi' }, 'nope')).status).toBe(400);
    expect((await preview({ text: 'Hi' }, '5fd0ed5e-7d05-4d3c-9a5b-b1e2a8e8f2f4')).status).toBe(404);
    expect((await preview({ text: 'Hi' }, STOCK.voice, await service.keyWith(['voices:read']))).status).toBe(403);
  });

  it('is refused while too many wait', async () => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    speak = () => promise;
    const waiting = Array.from({ length: 10 }, () => preview({ text: 'Hi' }));
    await expect.poll(async () => (await preview({ text: 'Hi' })).status).toBe(429);
    resolve(Buffer.from('RIFF'));
    expect((await Promise.all(waiting)).map(({ status }) => status).filter((status) => status === 200)).toHaveLength(
      10,
    );
  });

  it('says that the voice failed, without the words of its provider and without the text', async () => {
    speak = async () => {
      throw new Error('The TTS provider failed.');
    };
    const answer = await preview({ text: 'A secret sentence' });
    expect(answer).toMatchObject({ status: 502, body: { error: 'Voice failed' } });
    expect(service.logged.join('')).not.toContain('secret sentence');
  });
});
