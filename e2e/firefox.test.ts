import { afterAll, beforeAll, describe, it } from 'vitest';
import { FIREFOX_H264, launchFirefox, type TestFirefox } from './support/firefox.ts';
import { call } from './support/firefox-call.ts';
import { recordings } from '../models/testing/speech/recordings.ts';
import { startKnownRecordingsStt, type KnownRecordingsStt } from './support/known-recordings-stt.ts';
import { serveSdkPage, type SdkPage } from './support/sdk-page.ts';
import { startService, type RunningService } from './support/service.ts';

/**
 * As after the plain start: nothing of the network is set, and it listens for this machine only. Firefox pairs nothing
 * with a loopback address.
 */
describe('Firefox, on the machine of a service without settings', () => {
  let stt: KnownRecordingsStt;
  let service: RunningService;
  let firefox: TestFirefox;
  let client: SdkPage;

  beforeAll(async () => {
    stt = await startKnownRecordingsStt(recordings());
    [service, firefox, client] = await Promise.all([
      startService({ env: { PARLEY_STT_PROVIDER: 'openai', PARLEY_STT_BASE_URL: stt.url } }),
      launchFirefox(),
      serveSdkPage('127.0.0.1', 'parley'),
    ]);
  });
  afterAll(async () => {
    await firefox?.close();
    await client?.close();
    await service?.stop();
    await stt?.close();
  });

  for (const { place, tags } of [
    { place: 'a web site with the widget', tags: [] },
    // In every run in Chromium (own-client.test.ts).
    { place: 'a page with the client', tags: ['nightly'] },
  ] as const)
    it.concurrent(`hears and shows the persona on ${place}, and is heard`, { tags: [...tags] }, async ({ expect }) => {
      const conversation = await call(place, firefox, service, client);
      const before = await conversation.media();
      // Only one sentence: it is over when the first one is answered.
      expect(await conversation.converse(1)).toEqual({ said: 1, answered: 1 });
      const after = await conversation.media();
      expect(after.framesDecoded).toBeGreaterThan(before.framesDecoded);
      expect(after.audioEnergy).toBeGreaterThan(before.audioEnergy);
      expect(after.codec).toBe(FIREFOX_H264 === undefined ? 'video/VP8' : 'video/H264');
      expect(await conversation.end()).toEqual({ silences: 0 });
    });
});
