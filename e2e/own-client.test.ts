import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { personaTurnsEnded } from './support/chunks.ts';
import { connectSdk, type SdkSession } from './support/sdk-session.ts';
import { startService, type RunningService } from './support/service.ts';

/** What `@parley/client` has and the public client has not. What both have: `client-features.test.ts`. */
describe('@parley/client', () => {
  let service: RunningService;
  let avatarId: string | undefined;
  let session: SdkSession;

  beforeAll(async () => {
    service = await startService({ env: { PARLEY_MAX_SESSIONS: '12' } });
    avatarId = (await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars')).data[0]?.id;
  });
  afterEach(() => session?.close());
  afterAll(() => service?.stop());

  async function open(clientOptions: object = {}, more: object = {}): Promise<SdkSession> {
    const silence = { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 };
    const personaConfig = { name: 'Ada', avatarId, skipGreeting: true, voiceDetectionOptions: silence, ...more };
    session = await connectSdk(service, { personaConfig }, { client: 'parley', clientOptions });
    await session.until('SESSION_READY', (all) => all.some(({ event }) => event === 'SESSION_READY'));
    return session;
  }

  it('acknowledges changes of settings, with the values before and after, or says why not', async () => {
    const { call, browser } = await open();
    const [applied, second] = await Promise.all([
      call('updatePersonaConfig', { voiceDetectionOptions: { endOfSpeechSensitivity: 0.9 } }),
      call('updatePersonaConfig', { languageCode: 'de' }),
    ]);
    expect(applied).toEqual({
      changedFields: { 'voiceDetectionOptions.endOfSpeechSensitivity': { before: 0.5, after: 0.9 } },
    });
    expect(second).toMatchObject({ changedFields: { languageCode: { after: 'de' } } });
    const refused = await browser.page.evaluate(() =>
      (globalThis.client['updatePersonaConfig']!({ languageCode: 'tlh' }) as Promise<unknown>).catch(
        (error: { code: string; message: string }) => [error.code, error.message],
      ),
    );
    expect(refused).toEqual(['update_rejected', expect.stringContaining('languageCode')]);
  });

  it('captions words at the time of their sound, and knows who has the floor', async () => {
    const { call, until, events } = await open();
    await call('talk', 'One two three four five six seven eight nine ten.');
    await until('the end', (all) => personaTurnsEnded(all) === 1);
    const { words } = (await events('CAPTION_UPDATED')).at(-1)!.args[0] as { words: { text: string; atMs: number }[] };
    expect(words.map(({ text }) => text.trim()).join(' ')).toBe('One two three four five six seven eight nine ten.');
    expect(words.map(({ atMs }) => atMs)).toEqual(words.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
    expect(new Set(words.map(({ atMs }) => atMs)).size).toBeGreaterThan(4);
    expect((await events('FLOOR_CHANGED')).map(({ args }) => args[0])).toEqual(['persona', 'nobody']);
  });

  it('measures the connection and the microphone, and changes the microphone while live', async () => {
    const { browser, say, call, events } = await open();
    const spoken = say('My name is Robert, and I live in a small house by the sea.');
    await expect.poll(() => call('getInputLevel')).toBeGreaterThan(0.2);
    expect(await call('muteInputAudio')).toMatchObject({ isMuted: true });
    expect(await call('getInputLevel')).toBe(0);
    await call('unmuteInputAudio');
    await spoken;
    await browser.page.evaluate(() => {
      const { mediaDevices } = (globalThis as unknown as { navigator: { mediaDevices: TestDevices } }).navigator;
      const original = mediaDevices.getUserMedia;
      mediaDevices.getUserMedia = async () => (await original()).clone();
    });
    await call('changeAudioInputDevice', 'default');
    expect(await events('INPUT_AUDIO_DEVICE_CHANGED')).toHaveLength(1);
    // It is unplugged.
    await browser.page.evaluate(() => {
      const [peer] = globalThis.peers as unknown as { getSenders(): { track: EventTarget | null }[] }[];
      for (const { track } of peer!.getSenders()) track?.dispatchEvent(new Event('ended'));
    });
    await expect.poll(() => events('INPUT_AUDIO_DEVICE_CHANGED')).toHaveLength(2);
    await expect
      .poll(() => browser.page.evaluate(async () => await globalThis.client['getStats']?.()))
      .toMatchObject({
        relayed: false,
        protocol: 'udp',
        video: { codec: 'video/H264', width: 720, height: 480, bitsPerSecond: expect.any(Number) },
        // A starved browser loses some.
        audio: { packetsLost: expect.any(Number) },
        microphone: { codec: 'audio/opus' },
      });
  });

  it('remembers what was typed beside what was said', async () => {
    const { call, until, history } = await open();
    await call('sendUserMessage', 'What is your name?');
    await until('the answer', (all) => personaTurnsEnded(all) === 1);
    expect((await history()).map(({ role }) => role)).toEqual(['user', 'persona']);
  });

  it('goes on without a microphone when the user refuses, and names the cause', async () => {
    const { browser } = await open({ disableInputAudio: true });
    const code = await browser.page.evaluate(async () => {
      const denied = new DOMException('Permission denied', 'NotAllowedError');
      const { navigator } = globalThis as unknown as {
        navigator: { mediaDevices: { getUserMedia: () => Promise<never> } };
      };
      navigator.mediaDevices.getUserMedia = () => Promise.reject(denied);
      const change = globalThis.client['changeAudioInputDevice']?.('default') as Promise<unknown>;
      return change.catch((error: { code: string }) => error.code);
    });
    expect(code).toBe('microphone_denied');
    expect(await session.call('isStreaming')).toBe(true);
  });

  const NO_MICROPHONE = [
    ['NotAllowedError', 'microphone_denied'],
    ['NotFoundError', 'microphone_missing'],
    ['NotReadableError', 'microphone_busy'],
  ] as const;

  it('starts without a microphone, or does not start if it needs one, and names the cause', async () => {
    const { browser } = await open({ disableInputAudio: true });
    await session.call('stopStreaming');
    const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
      personaConfig: { name: 'Ada', avatarId },
    });
    for (const [name, expected] of NO_MICROPHONE) {
      const outcome = await browser.page.evaluate(
        async ([name, token, baseUrl]) => {
          const page = globalThis as unknown as {
            navigator: { mediaDevices: { getUserMedia: () => Promise<never> } };
            Parley: { createClient: (token: string, options: object) => StartableClient };
          };
          page.navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('No.', name));
          const api = { baseUrl };
          const required = await page.Parley.createClient(token, { api, requireInputAudio: true })
            .stream()
            .catch((error: { code: string }) => error.code);
          const optional = page.Parley.createClient(token, { api });
          let told = '';
          optional.addListener('MIC_PERMISSION_DENIED', (_message, { code }) => (told = code));
          await optional.stream();
          const streams = optional.isStreaming();
          await optional.stopStreaming();
          return [required, told, streams];
        },
        [name, sessionToken, service.url] as const,
      );
      expect(outcome).toEqual([expected, expected, true]);
    }
  });

  it('hands the conversation to another window that resumes it, and says so in the first', async () => {
    const { browser, until, events } = await open({ resume: 'shared' });
    // As a copied tab would find it, had the first one left.
    await browser.page.evaluate(() => (globalThis as unknown as EventTarget).dispatchEvent(new Event('pagehide')));
    await browser.page.evaluate(async (url) => {
      const { Parley } = globalThis as unknown as {
        Parley: { createClient: (token: () => string, options: object) => { stream(): Promise<unknown> } };
      };
      await Parley.createClient(() => 'no token is needed', { api: { baseUrl: url }, resume: 'shared' }).stream();
    }, service.url);
    await until('the end here', (all) => all.some(({ event }) => event === 'CONNECTION_CLOSED'));
    expect((await events('CONNECTION_CLOSED'))[0]?.args[2]).toMatchObject({ reason: 'replaced', error: null });
  });

  it('replaces a peer connection that has died under it, and goes on in mid-conversation', async () => {
    const { browser, call, until, events, history } = await open();
    await call('talk', 'We open at nine.');
    await until('the end of the sentence', (all) => personaTurnsEnded(all) === 1);
    // The browser says that keys are lost, which only another peer connection mends.
    await browser.page.evaluate(() => {
      const [peer] = globalThis.peers as unknown as EventTarget[];
      Object.defineProperty(peer, 'connectionState', { get: () => 'failed' });
      peer?.dispatchEvent(new Event('connectionstatechange'));
    });
    await expect.poll(() => browser.page.evaluate(() => globalThis.peers.length)).toBe(2);
    await until('the connection', (all) => all.filter(isReady).length === 2);
    const frames = (await session.shownFrames()).length;
    await expect.poll(async () => (await session.shownFrames()).length).toBeGreaterThan(frames + 25);
    await call('talk', 'And we close at five.');
    await until('the end of the sentence', (all) => personaTurnsEnded(all) === 2);
    expect((await history()).map(({ content }) => content)).toEqual(['We open at nine.', 'And we close at five.']);
    expect(await events('SESSION_READY')).toHaveLength(1);
    expect(await events('DATA_CHANNEL_OPEN')).toHaveLength(1);
  });

  it('says that all sessions are taken, and that a token is not valid', async () => {
    const { browser } = await open();
    const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
      personaConfig: { name: 'Ada', avatarId },
    });
    const code = (token: string): Promise<string> =>
      browser.page.evaluate(
        ([token, url]) =>
          globalThis.connect(token as string, url as string).catch((error: { code: string }) => error.code),
        [token, service.url] as const,
      );
    // Those of the tests before still hold some slots, and give them back. Sessions without a client take the rest: they cost little.
    const take = (): Promise<unknown> => service.api('POST', '/v1/engine/session', { personaConfig: { avatarId } });
    const codeWhenFull = async (): Promise<string> => {
      for (let taken = true; taken;)
        taken = await take().then(
          () => true,
          () => false,
        );
      return code(sessionToken);
    };
    await expect.poll(codeWhenFull).toBe('capacity');
    expect(await code(`${sessionToken.slice(0, -4)}xxxx`)).toBe('authentication');
  });
});

interface TestDevices {
  getUserMedia(): Promise<{ clone(): never }>;
}

interface StartableClient {
  stream(): Promise<string>;
  stopStreaming(): Promise<void>;
  isStreaming(): boolean;
  addListener(event: string, listener: (message: string, error: { code: string }) => void): void;
}

function isReady({ event, args }: { readonly event: string; readonly args: readonly unknown[] }): boolean {
  return event === 'CONNECTION_STATE_CHANGED' && args[0] === 'ready';
}
