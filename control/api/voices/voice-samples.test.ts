import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { SpokenTextRequest } from '../../../engine/index.ts';
import type { VoiceSpeaker } from '../../ports.ts';
import { startTestService, type TestService } from '../../testing/service.ts';
import { STOCK, testCatalogue } from '../../testing/stock.ts';
import { describeOnSqlite } from '../../testing/stores.ts';

const WAV = Buffer.from('RIFF\x24\0\0\0WAVEfmt spoken', 'latin1');
const MP3 = Buffer.from('ID3\x04 from the provider', 'latin1');

describeOnSqlite('the samples of voices', (stores) => {
  const spoken: SpokenTextRequest[] = [];
  let broken = false;
  let read: () => Promise<Uint8Array> = async () => MP3;
  const voiceSpeaker: VoiceSpeaker = {
    async speak(request) {
      if (broken) throw new Error('no breath');
      spoken.push(request);
      return WAV;
    },
  };
  const [stockVoice, cloudVoice] = testCatalogue.voices;
  const catalogue = {
    ...testCatalogue,
    voices: [stockVoice!, { ...cloudVoice!, sample: { key: 'one', read: () => read() } }],
  };
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(await stores.open(), { ports: { voiceSpeaker }, catalogue });
  });
  afterAll(async () => service.close());
  beforeEach(() => {
    spoken.splice(0);
    broken = false;
  });

  const urlOf = async (id: string): Promise<string> =>
    ((await service.send('GET', `/v1/voices/${id}`)).body.sampleUrl as string).replace(/^https?:\/\/[^/]+/, '');
  const hear = (url: string, headers?: Record<string, string>) => service.send('GET', url, undefined, null, headers);
  const kept = (): string[] => readdirSync(join(service.dataDir, 'blobs/voice-samples')).sort();

  it('are spoken by the voice itself when somebody first listens, once, and then kept', async () => {
    const url = await urlOf(STOCK.voice);
    expect(spoken).toEqual([]);
    const answers = await Promise.all([hear(url), hear(url), hear(await urlOf(STOCK.voice))]);
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 200,
        text: WAV.toString('latin1'),
        headers: { 'content-type': 'audio/wav', 'accept-ranges': 'bytes' },
      });
    expect(answers[0].headers['content-disposition']).toMatch(/^inline/);
    expect(spoken).toHaveLength(1);
    expect(spoken).toMatchObject([
      {
        provider: 'LOCAL',
        providerVoiceId: 'slt',
        language: 'en',
        text: 'Hello! This is how I sound when we talk with each other.',
        tuning: {},
      },
    ]);
  });

  it('can be read in ranges, so that players can seek', async () => {
    const part = await hear(await urlOf(STOCK.voice), { range: 'bytes=16-21' });
    expect(part).toMatchObject({ status: 206, text: 'spoken', headers: { 'content-length': '6' } });
    expect(part.headers['content-range']).toBe(`bytes 16-21/${WAV.length}`);
    expect((await hear(await urlOf(STOCK.voice), { range: 'bytes=900-' })).status).toBe(416);
  });

  it('are the provider’s own where it has one, with the type that it really is', async () => {
    expect(await hear(await urlOf(STOCK.cloudVoice))).toMatchObject({
      status: 200,
      text: MP3.toString('latin1'),
      headers: { 'content-type': 'audio/mpeg' },
    });
    expect(spoken).toEqual([]);
  });

  it('are spoken by the voice when the provider’s own cannot be had, or is no sound', async () => {
    for (const unusable of [
      async () => Buffer.from('<html>'),
      async () => {
        throw new Error('gone');
      },
    ]) {
      const other = await startTestService(await stores.open(), { ports: { voiceSpeaker }, catalogue });
      read = unusable;
      const { sampleUrl } = (await other.send('GET', `/v1/voices/${STOCK.cloudVoice}`)).body;
      const answer = await other.send('GET', sampleUrl.replace(/^https?:\/\/[^/]+/, ''), undefined, null);
      expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'audio/wav' } });
      await other.close();
    }
    expect(spoken.map(({ language }) => language)).toEqual(['en', 'en']);
  });

  it('cannot be had without a signature, and that of one voice does not open another', async () => {
    const url = await urlOf(STOCK.voice);
    expect((await hear(url.replace(/signature=[^&]*/, 'signature=x'))).status).toBe(403);
    expect((await hear(url.replace(STOCK.voice, STOCK.cloudVoice))).status).toBe(403);
    service.clock.now += 3_600_001;
    expect((await hear(url)).status).toBe(403);
  });

  it('say so when the voice fails, and let it rest before it is tried again', async () => {
    const other = await startTestService(await stores.open(), { ports: { voiceSpeaker } });
    const listen = async () => {
      const { sampleUrl } = (await other.send('GET', `/v1/voices/${STOCK.voice}`)).body;
      return other.send('GET', sampleUrl.replace(/^https?:\/\/[^/]+/, ''), undefined, null);
    };
    broken = true;
    expect(await listen()).toMatchObject({ status: 502, body: { error: 'Voice failed' } });
    broken = false;
    expect((await listen()).status).toBe(502);
    expect(spoken).toEqual([]);
    other.clock.now += 60_000;
    expect((await listen()).status).toBe(200);
    await other.close();
  });

  it('say that the disk is full, which is no failure of the voice', async () => {
    const other = await startTestService(await stores.open(), { ports: { voiceSpeaker } });
    const listen = async () => {
      const { sampleUrl } = (await other.send('GET', `/v1/voices/${STOCK.voice}`)).body;
      return other.send('GET', sampleUrl.replace(/^https?:\/\/[^/]+/, ''), undefined, null);
    };
    const write = vi
      .spyOn(other.blobs, 'write')
      .mockRejectedValueOnce(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    expect(await listen()).toMatchObject({ status: 503, body: { error: 'Storage is full' } });
    write.mockRestore();
    expect((await listen()).status).toBe(200);
    await other.close();
  });

  it('go with the voice', async () => {
    const id = '3f0b6f0e-6a53-4ab3-9a7d-1d2f6a1f0c11';
    const at = new Date(service.clock.now).toISOString();
    const row = {
      id,
      organization_id: service.organizationId,
      display_name: 'Eva',
      description: null,
      provider: 'ELEVENLABS',
      engine_provider: 'ELEVENLABS',
      family: 'elevenlabs',
      provider_voice_id: 'copy',
      provider_model_id: null,
      sample_url: null,
      gender: null,
      country: null,
      language: 'de',
      display_tags_json: '[]',
      is_zdr: 0,
      created_at: at,
      updated_at: at,
    };
    await service.store.db.insertInto('voices').values(row).execute();
    const url = await urlOf(id);
    expect((await hear(url)).status).toBe(200);
    expect(spoken).toMatchObject([{ provider: 'ELEVENLABS', providerVoiceId: 'copy', language: 'de' }]);
    expect(kept().some((name) => name.startsWith(id))).toBe(true);
    await service.store.db.deleteFrom('voices').where('id', '=', id).execute();
    expect((await hear(url)).status).toBe(404);
    await service.store.db.insertInto('voices').values(row).execute();
    expect((await service.send('DELETE', `/v1/voices/${id}`)).status).toBe(200);
    expect(kept().some((name) => name.startsWith(id))).toBe(false);
  });
});

describeOnSqlite('where nothing can be spoken', (stores) => {
  it('voices have no samples', async () => {
    const service = await startTestService(await stores.open());
    expect((await service.send('GET', `/v1/voices/${STOCK.voice}`)).body).toMatchObject({
      sampleUrl: null,
      previewSampleUrl: null,
    });
    await service.close();
  });
});
