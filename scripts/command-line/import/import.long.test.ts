import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../../control/testing/service.ts';
import { describeOnSqlite } from '../../../control/testing/stores.ts';
import { apiOf } from '../api.ts';
import { importAccount } from './import-command.ts';
import { startHostedService } from './testing/hosted-service.ts';

const KEY = 'a-key-of-there';

describeOnSqlite('an import from the hosted service', (stores) => {
  let service: TestService;
  let hosted: Awaited<ReturnType<typeof startHostedService>>;
  let url: string;
  beforeAll(async () => {
    hosted = await startHostedService(KEY);
    service = await startTestService(await stores.open());
    await service.app.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await service.close();
    await hosted.close();
  });

  async function importing(update = false, key = KEY): Promise<string[]> {
    const lines: string[] = [];
    await importAccount(apiOf(hosted.url, key), apiOf(url, service.key), update, (line) => lines.push(line));
    return lines;
  }
  const listed = async (path: string) => (await service.send('GET', path)).body;

  it('takes over what it can, and says what not', async () => {
    expect(await importing()).toEqual([
      'taken   knowledge group House',
      'taken   document House/menu.txt',
      'LEFT    document House/gone.txt: its file cannot be fetched (status 404)',
      'taken   tool search_house',
      'taken   tool book_room: its headers are hidden there, write them anew: x-key',
      'taken   LLM House model: without its key, which no service gives out: write it anew',
      'LEFT    voice Our Anna: its recording is not given out: clone it here anew',
      'taken   avatar Mira',
      'taken   persona Front desk: its voice Our Anna is not here, choose another one',
      'taken   persona Night porter: its voice Voice of there is not here, choose another one; ' +
        'its avatar Nobody here is not here, choose another one; its LLM SERVICE_OF_THERE is not here, choose another one',
      'LEFT    3 share links: their addresses lead there: make new ones',
      'LEFT    40 sessions: transcripts and recordings stay there',
      '8 taken, 0 changed, 0 were there, 4 left.',
    ]);
    const { data } = await listed('/v1/personas');
    const { id } = data.find(({ name }: { name: string }) => name === 'Front desk');
    const persona = await listed(`/v1/personas/${id}`);
    expect(persona).toMatchObject({
      systemPrompt: 'You are the front desk.',
      skipGreeting: true,
      initialMessage: 'Welcome!',
      languageCode: 'de',
      avatar: { displayName: 'Mira' },
      voiceDetectionOptions: { endOfSpeechSensitivity: 0.7 },
      widgetConfig: { callToAction: 'Ask us', allowedOrigins: ['https://hotel.example.com'] },
      knowledge: [{ name: 'House' }],
    });
    expect(persona.tools.map(({ name }: { name: string }) => name)).toEqual(['search_house', 'book_room']);
    const [group] = await listed('/v1/knowledge/groups');
    expect(persona.tools[0].config.documentFolderIds).toEqual([group.id]);
    expect(await listed(`/v1/knowledge/groups/${group.id}/documents`)).toMatchObject([{ filename: 'menu.txt' }]);
  });

  it('changes nothing when it is run again, and nothing that was changed here unless it is asked to', async () => {
    const again = await importing();
    expect(again.at(-1)).toBe('0 taken, 0 changed, 8 were there, 4 left.');
    expect(again.filter((line) => line.includes('differs'))).toEqual([]);
    const { data } = await listed('/v1/personas');
    const { id } = data.find(({ name }: { name: string }) => name === 'Front desk');
    await service.send('PUT', `/v1/personas/${id}`, { systemPrompt: 'Our own words.' });
    const asked = (lines: readonly string[]) => lines.find((line) => line.includes('persona Front desk'));
    expect(asked(await importing())).toBe(
      'there   persona Front desk: it differs in systemPrompt; --update makes it like there',
    );
    expect((await listed(`/v1/personas/${id}`)).systemPrompt).toBe('Our own words.');
    expect(asked(await importing(true))).toBe('changed persona Front desk: systemPrompt');
    expect((await listed(`/v1/personas/${id}`)).systemPrompt).toBe('You are the front desk.');
  });

  it('writes nothing with a key that does not work there', async () => {
    const before = (await listed('/v1/personas')).meta.total;
    await expect(importing(false, 'wrong')).rejects.toThrow('The API key is not valid.');
    expect((await listed('/v1/personas')).meta.total).toBe(before);
  });
});
