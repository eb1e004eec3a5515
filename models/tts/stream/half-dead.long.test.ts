import { expect, it } from 'vitest';
import { createCartesia } from '../cartesia.ts';
import { speak } from '../testing/collect.ts';
import { cartesiaDialect, startSocketService } from '../testing/socket-service.ts';

const samples = Array.from({ length: 2_400 }, () => 7);

it('a connection that takes sentences and says nothing is replaced by another one', async () => {
  let asked = 0;
  const service = await startSocketService(cartesiaDialect, (sentence) => {
    asked += 1;
    if (asked === 1) return;
    sentence.speak(samples);
    sentence.end();
  });
  const voice = createCartesia({ baseUrl: service.url, apiKey: 'k' });
  expect([...(await speak(voice, { text: 'Hi', voice: 'v' })).pcm]).toEqual(samples);
  await speak(voice, { text: 'Hi', voice: 'v' });
  expect([asked, service.handshakes.length]).toEqual([3, 2]);
  await voice.close();
  await service.close();
});

it('a service that says nothing on any connection is given up', async () => {
  const service = await startSocketService(cartesiaDialect, () => {});
  const voice = createCartesia({ baseUrl: service.url, apiKey: 'k' });
  await expect(speak(voice, { text: 'Hi', voice: 'v' })).rejects.toMatchObject({ code: 'timeout' });
  await voice.close();
  await service.close();
});
