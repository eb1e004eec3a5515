import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chunks, personaTurnsEnded } from './support/chunks.ts';
import { connectSdk, type SdkSession } from './support/sdk-session.ts';
import { startService, type RunningService } from './support/service.ts';

const LONG =
  'Once upon a time there was a very small boat on a very wide river, and nobody had ever asked it where it was going, because it never seemed to be in a hurry at all.';

/** What applications do with the public client besides talking, each seen on the client's and on the service's side. */
describe('the public client', () => {
  let service: RunningService;
  let persona: Record<string, unknown>;
  let session: SdkSession | undefined;

  beforeAll(async () => {
    service = await startService();
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    persona = {
      name: 'Ada',
      avatarId: data[0]?.id,
      avatarModel: 'cara-4',
      skipGreeting: true,
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    };
  });
  afterEach(async () => {
    await session?.close();
    session = undefined;
  });
  afterAll(() => service?.stop());

  const open = async (config: Record<string, unknown> = {}): Promise<SdkSession> => {
    session = await connectSdk(service, { personaConfig: { ...persona, ...config } });
    await session.until('SESSION_READY', (events) => events.some(({ event }) => event === 'SESSION_READY'));
    await session.until('DATA_CHANNEL_OPEN', (events) => events.some(({ event }) => event === 'DATA_CHANNEL_OPEN'));
    return session;
  };
  const sayAndCut = async (): Promise<void> => {
    await session?.call('talk', LONG);
    await session?.until('the story to begin', (events) =>
      chunks(events).some((chunk) => chunk.content.includes('small')),
    );
  };

  const lookUp = {
    type: 'client',
    name: 'show_weather',
    description: 'Shows the weather of a city on the page.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    awaitResult: true,
    toolTimeoutSeconds: 60,
  };

  it('runs a client tool and speaks about its result', async () => {
    const { browser, call, until, sessionId, events } = await open({ tools: [lookUp] });
    await browser.page.evaluate(
      () =>
        void globalThis.client['registerToolCallHandler']?.('show_weather', {
          onStart: async () => 'Sunny, 21 degrees',
          onComplete: async () => undefined,
        }),
    );
    await call('sendUserMessage', 'Please show me the weather in Paris.');
    await until('the reply', (all) => personaTurnsEnded(all) >= 1);
    expect(await events('TOOL_CALL_STARTED')).toHaveLength(1);
    expect((await events('TOOL_CALL_STARTED'))[0]?.args[0]).toMatchObject({
      toolName: 'show_weather',
      toolType: 'client',
      sessionId,
    });
    expect(await events('TOOL_CALL_COMPLETED')).toHaveLength(1);
    await call('stopStreaming');
    await expect
      .poll(async () => (await service.api<{ toolCalls: unknown[] }>('GET', `/v1/sessions/${sessionId}`)).toolCalls)
      .toMatchObject([{ toolName: 'show_weather', status: 'completed', result: 'Sunny, 21 degrees' }]);
  });

  it('tells the LLM of a client tool that failed', async () => {
    const { browser, call, until, sessionId, events } = await open({ tools: [lookUp] });
    await browser.page.evaluate(
      () =>
        void globalThis.client['registerToolCallHandler']?.('show_weather', {
          onStart: async () => {
            throw new Error('no network');
          },
          onFail: async () => undefined,
        }),
    );
    await call('sendUserMessage', 'Please show me the weather in Paris.');
    await until('the reply', (all) => personaTurnsEnded(all) >= 1);
    expect(await events('TOOL_CALL_FAILED')).toHaveLength(1);
    await call('stopStreaming');
    await expect
      .poll(async () => (await service.api<{ toolCalls: unknown[] }>('GET', `/v1/sessions/${sessionId}`)).toolCalls)
      .toMatchObject([
        { toolName: 'show_weather', status: 'failed', errorMessage: expect.stringContaining('no network') },
      ]);
  });

  it('changes settings in mid-session, and is warned of those that cannot be', async () => {
    const { call, until, events } = await open();
    await call(
      'sendDataMessage',
      JSON.stringify({
        message_type: 'persona_config',
        data: { languageCode: 'de', voiceDetectionOptions: { endOfSpeechSensitivity: 0.9 } },
      }),
    );
    await until('the change', (all) => all.some(({ event }) => event === 'PERSONA_CONFIG_UPDATE_APPLIED'));
    expect(JSON.stringify((await events('PERSONA_CONFIG_UPDATE_APPLIED'))[0]?.args)).toContain(
      '"voiceDetectionOptions.endOfSpeechSensitivity":{"before":0.5,"after":0.9}',
    );
    await call(
      'sendDataMessage',
      JSON.stringify({ message_type: 'persona_config', data: { systemPrompt: 'Be rude.' } }),
    );
    await until('the warning', (all) =>
      all.some(
        ({ event, args }) => event === 'SERVER_WARNING' && String(args[0]).startsWith('Persona config update rejected'),
      ),
    );
    expect(await events('PERSONA_CONFIG_UPDATE_APPLIED')).toHaveLength(1);
  });

  it('streams speech of its own, which an interruption cuts once', async () => {
    const { browser, call, until, events, history } = await open();
    await browser.page.evaluate(async (text) => {
      const stream = globalThis.client['createTalkMessageStream']?.('talk-1') as {
        streamMessageChunk(text: string, end: boolean): Promise<void>;
      };
      for (const word of text.split(/(?<= )/)) await stream.streamMessageChunk(word, false);
    }, LONG);
    await until('the stream to be heard', (all) => chunks(all).some((chunk) => chunk.content.includes('small')));
    await call('interruptPersona');
    await until('the interruption', (all) => all.some(({ event }) => event === 'TALK_STREAM_INTERRUPTED'));
    expect((await events('TALK_STREAM_INTERRUPTED')).map(({ args }) => args[0])).toEqual(['talk-1']);
    await until('the end of the message', (all) => personaTurnsEnded(all) >= 1);
    const [message] = await history();
    expect(message?.interrupted).toBe(true);
    expect(LONG.startsWith(message?.content.trim() ?? 'nothing')).toBe(true);
    expect(message?.content.length).toBeLessThan(LONG.length);
  });

  it('adds context silently', async () => {
    const { call, until, events } = await open();
    await call('addContext', 'The user is looking at the pricing page.');
    await call('sendUserMessage', 'Hello!');
    await until('the reply', (all) => personaTurnsEnded(all) >= 1);
    expect(chunks(await events()).every((chunk) => chunk.role === 'persona')).toBe(true);
  });

  it('directs the face', async () => {
    const { call, until, events } = await open();
    await sayAndCut();
    await call('sendDirectorNoteCue', 'happy');
    await until('the cue', (all) => all.some(({ event }) => event === 'DIRECTOR_NOTE_CUE_APPLIED'));
    expect(JSON.stringify((await events('DIRECTOR_NOTE_CUE_APPLIED'))[0]?.args)).toContain('happy');
  });

  it('restarts ICE in mid-sentence without the listener losing a word', async () => {
    const { browser, until, stats, events, history } = await open();
    await sayAndCut();
    const before = await browser.page.evaluate(
      () => globalThis.peers[0]?.remoteDescription?.sdp.match(/a=ice-ufrag:(\S+)/)?.[1],
    );
    // The client restarts only when its browser says that the path is gone; here the browser says so for a moment.
    await browser.page.evaluate(async () => {
      const [peer] = globalThis.peers;
      Object.defineProperty(peer, 'iceConnectionState', { get: () => 'failed', configurable: true });
      await (
        globalThis.client as unknown as { streamingClient: { restartIce(): Promise<void> } }
      ).streamingClient.restartIce();
      delete (peer as unknown as { iceConnectionState?: string }).iceConnectionState;
    });
    await expect
      .poll(() =>
        browser.page.evaluate(() => globalThis.peers[0]?.remoteDescription?.sdp.match(/a=ice-ufrag:(\S+)/)?.[1]),
      )
      .not.toBe(before);
    await until('the whole story', (all) => personaTurnsEnded(all) >= 1);
    expect((await history())[0]?.content.trim()).toBe(LONG);
    expect((await stats()).audio?.packetsLost ?? 0).toBeLessThan(10);
    expect(await events('CONNECTION_ESTABLISHED')).toHaveLength(1);
  });
});
