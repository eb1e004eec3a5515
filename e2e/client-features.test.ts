import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chunks, personaTurnsEnded } from './support/chunks.ts';
import { connectSdk, type SdkSession } from './support/sdk-session.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

const LONG =
  'Once upon a time there was a very small boat on a very wide river, and nobody had ever asked it where it was going, because it never seemed to be in a hurry at all.';

const CLIENTS = [
  ['the unmodified public client', 'public'],
  ['@parley/client', 'parley'],
] as const;

let service: ServiceAccess;
let persona: Record<string, unknown>;
beforeAll(async () => {
  service = await sharedService();
  const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
  persona = {
    name: 'Ada',
    avatarId: data[0]?.id,
    skipGreeting: true,
    voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
  };
});

/** What applications do with a client besides talking, each seen on the client's and on the service's side. */
describe.each(CLIENTS)('%s', (_name, client) => {
  /** In every run the public client does what the other one does differently; the rest is what the service does. */
  const nightlyIfPublic = client === 'public' ? ['nightly'] : [];
  let session: SdkSession | undefined;

  afterEach(async () => {
    await session?.close();
    session = undefined;
  });

  const open = async (config: Record<string, unknown> = {}, clientOptions: object = {}): Promise<SdkSession> => {
    session = await connectSdk(service, { personaConfig: { ...persona, ...config } }, { client, clientOptions });
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

  const endReason = async (sessionId: string) =>
    (await service.api<{ end_reason: string | null }>('GET', `/v1/sessions/${sessionId}`)).end_reason;

  it('is ready once, and says what it is given', async () => {
    const { call, until, events, history, stats } = await open();
    await call('talk', 'We open at nine.');
    await until('the end of the sentence', (all) => personaTurnsEnded(all) === 1);
    expect(await history()).toMatchObject([{ role: 'persona', content: 'We open at nine.' }]);
    for (const once of ['SESSION_READY', 'CONNECTION_ESTABLISHED', 'VIDEO_STREAM_STARTED', 'AUDIO_STREAM_STARTED'])
      expect(await events(once), once).toHaveLength(1);
    expect((await stats()).audio?.totalAudioEnergy ?? 0).toBeGreaterThan(0.001);
  });

  it('is told why its session ended', async () => {
    const { sessionId, until, events } = await open();
    await service.api('POST', `/v1/sessions/${sessionId}/stop`, {});
    await until('the end', (all) => all.some(({ event }) => event === 'CONNECTION_CLOSED'));
    expect((await events('CONNECTION_CLOSED'))[0]?.args.slice(0, 2)).toEqual([
      'CONNECTION_CLOSED_CODE_SERVER_CLOSED_CONNECTION',
      'Session was stopped.',
    ]);
  });

  it('talks again after a reload of its page', async () => {
    const opened = await open({}, { resume: true });
    const before = opened.sessionId;
    await opened.call('talk', 'We open at nine.');
    await opened.until('the end of the sentence', (all) => personaTurnsEnded(all) === 1);
    await opened.reload();
    await opened.until('SESSION_READY', (all) => all.some(({ event }) => event === 'SESSION_READY'));
    await opened.call('talk', 'Welcome back.');
    await opened.until('the end of the sentence', (all) => personaTurnsEnded(all) === 1);
    const texts = (await opened.history()).map(({ content }) => content);
    if (client === 'parley') {
      expect([opened.sessionId, texts]).toEqual([before, ['We open at nine.', 'Welcome back.']]);
      expect(await endReason(before)).toBeNull();
    } else {
      // The public client begins another session.
      expect([opened.sessionId === before, texts]).toEqual([false, ['Welcome back.']]);
      await expect.poll(() => endReason(before)).toBe('client_disconnected');
    }
    await opened.call('stopStreaming');
    await expect.poll(() => endReason(opened.sessionId)).toBe('client_disconnected');
  });

  it('runs a client tool and speaks about its result', { tags: nightlyIfPublic }, async () => {
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

  it('tells the LLM of a client tool that failed', { tags: nightlyIfPublic }, async () => {
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

  it('changes settings in mid-session, and is warned of those that cannot be', { tags: nightlyIfPublic }, async () => {
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

  it('streams speech of its own, which an interruption cuts once', { tags: nightlyIfPublic }, async () => {
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

  it('adds context silently', { tags: nightlyIfPublic }, async () => {
    const { call, until, events } = await open();
    await call('addContext', 'The user is looking at the pricing page.');
    await call('sendUserMessage', 'Hello!');
    await until('the reply', (all) => personaTurnsEnded(all) >= 1);
    expect(chunks(await events()).every((chunk) => chunk.role === 'persona')).toBe(true);
  });

  it('directs the face', { tags: nightlyIfPublic }, async () => {
    // Earlier models take no notes.
    const { call, until, events } = await open({ avatarModel: 'cara-4' });
    await sayAndCut();
    await call('sendDirectorNoteCue', 'happy');
    await until('the cue', (all) => all.some(({ event }) => event === 'DIRECTOR_NOTE_CUE_APPLIED'));
    expect(JSON.stringify((await events('DIRECTOR_NOTE_CUE_APPLIED'))[0]?.args)).toContain('happy');
  });

  // The public client loses its network in every run: network/outages.test.ts.
  it('restarts ICE in mid-sentence without the listener losing a word', { tags: nightlyIfPublic }, async () => {
    const { browser, until, stats, events, history } = await open();
    await sayAndCut();
    const before = await browser.page.evaluate(
      () => globalThis.peers[0]?.remoteDescription?.sdp.match(/a=ice-ufrag:(\S+)/)?.[1],
    );
    // A client restarts only when its browser says that the path is gone; here the browser says so for a moment.
    await browser.page.evaluate(async (name) => {
      const [peer] = globalThis.peers as unknown as EventTarget[];
      Object.defineProperty(peer, 'iceConnectionState', { get: () => 'failed', configurable: true });
      if (name === 'parley') peer?.dispatchEvent(new Event('iceconnectionstatechange'));
      else
        await (
          globalThis.client as unknown as { streamingClient: { restartIce(): Promise<void> } }
        ).streamingClient.restartIce();
      delete (peer as unknown as { iceConnectionState?: string }).iceConnectionState;
    }, client);
    await expect
      .poll(() =>
        browser.page.evaluate(() => globalThis.peers[0]?.remoteDescription?.sdp.match(/a=ice-ufrag:(\S+)/)?.[1]),
      )
      .not.toBe(before);
    // The path was never gone, so the browser itself has nothing to report.
    await browser.page.evaluate(() =>
      (globalThis.peers as unknown as EventTarget[])[0]?.dispatchEvent(new Event('iceconnectionstatechange')),
    );
    await until('the whole story', (all) => personaTurnsEnded(all) >= 1);
    expect((await history())[0]?.content.trim()).toBe(LONG);
    expect((await stats()).audio?.packetsLost ?? 0).toBeLessThan(10);
    expect(await events('CONNECTION_ESTABLISHED')).toHaveLength(1);
  });
});
