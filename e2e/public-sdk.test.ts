import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chunks, personaTurnsEnded, userTurns } from './support/chunks.ts';
import { connectSdk, type SdkSession } from './support/sdk-session.ts';
import { startService, type RunningService } from './support/service.ts';

const run = promisify(execFile);

/** That a browser plays VP8 is in every run: `engine/transport/chromium.long.test.ts`. */
const CODECS = [
  { codec: 'h264', tags: [] },
  { codec: 'vp8', tags: ['nightly'] },
];

/** A conversation of three spoken turns, one of them an interruption, through the client as its users have it. */
describe.for(CODECS)('the unmodified public client, with $codec', ({ codec, tags }) => {
  let service: RunningService;
  let session: SdkSession | undefined;
  beforeAll(async () => {
    service = await startService({ env: { PARLEY_VIDEO_CODECS: codec } });
  });
  afterEach(async () => {
    await session?.close();
    session = undefined;
  });
  afterAll(() => service?.stop());

  it('connects, converses, interrupts and stops', { tags }, async () => {
    const { data: avatars } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    const { data: voices } = await service.api<{ data: { id: string }[] }>('GET', '/v1/voices');
    session = await connectSdk(service, {
      personaConfig: {
        name: 'Ada',
        avatarId: avatars[0]?.id,
        voiceId: voices[0]?.id,
        systemPrompt: 'You are Ada, a friendly guide.',
        initialMessage: 'Hello, I am Ada. What would you like to talk about?',
        voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
      },
    });

    await session.until('SESSION_READY', (events) => events.some(({ event }) => event === 'SESSION_READY'));
    await session.until('the greeting', (events) => personaTurnsEnded(events) >= 1);
    // Not before: what the service says on its socket may be there before what the browser says of the peer connection.
    for (const event of [
      'CONNECTION_ESTABLISHED',
      'DATA_CHANNEL_OPEN',
      'VIDEO_STREAM_STARTED',
      'AUDIO_STREAM_STARTED',
    ]) {
      expect(await session.events(event), event).toHaveLength(1);
    }
    expect(await session.history()).toMatchObject([
      { role: 'persona', content: 'Hello, I am Ada. What would you like to talk about?' },
    ]);

    await session.say('My name is Robert.');
    await session.until('the first reply', (events) => userTurns(events).length >= 1 && personaTurnsEnded(events) >= 2);
    await session.say('What is your name?');
    await session.until(
      'the second reply',
      (events) => userTurns(events).length >= 2 && personaTurnsEnded(events) >= 3,
    );

    await session.call(
      'talk',
      'Now I am going to tell you a long story about a small boat on a very wide and quiet river that nobody had ever seen before.',
    );
    // Who speaks before the first words are heard has interrupted nothing.
    await session.until('the story to begin', (events) =>
      chunks(events).some((c) => c.role === 'persona' && c.content.includes('going')),
    );
    await session.say('Stop please, I want to ask you a question.');
    await session.until('the interruption', (events) =>
      chunks(events).some((c) => c.role === 'persona' && c.interrupted),
    );
    await session.until('the third reply', (events) => userTurns(events).length >= 3 && personaTurnsEnded(events) >= 5);

    const history = await session.history();
    expect(history.filter((m) => m.role === 'user').length).toBeGreaterThanOrEqual(3);
    // On a busy machine the microphone may pause in a sentence, and its second half interrupts a reply to the first one.
    const cut = history.filter((m) => m.role === 'persona' && m.interrupted);
    const story = cut.find(({ content }) => content.startsWith('Now I am going'));
    expect(story, JSON.stringify(cut)).toBeDefined();
    expect(story?.content).not.toMatch(/seen before\.$/);
    const speech = (await session.events())
      .map(({ event }) => event)
      .filter((event) => event.startsWith('USER_SPEECH'));
    expect(speech).toEqual(speech.map((_, i) => (i % 2 === 0 ? 'USER_SPEECH_STARTED' : 'USER_SPEECH_ENDED')));

    // A busy machine gives up frames, and so does a starved browser: then they take longer.
    await expect.poll(async () => (await session?.stats())?.video?.framesDecoded).toBeGreaterThan(200);
    const { audio, video } = await session.stats();
    expect(video?.codec).toBe(codec === 'h264' ? 'video/H264' : 'video/VP8');
    expect(video).toMatchObject({ frameWidth: 720, frameHeight: 480 });
    expect(audio?.totalAudioEnergy ?? 0).toBeGreaterThan(0.01);

    const { sessionId } = session;
    await session.call('stopStreaming');
    await expect
      .poll(
        async () => (await service.api<{ end_reason: string | null }>('GET', `/v1/sessions/${sessionId}`)).end_reason,
      )
      .toBe('client_disconnected');
    const transcript = await service.api<{ messages: { role: string; message: string }[] }>(
      'GET',
      `/v1/sessions/${sessionId}/transcript`,
    );
    expect(transcript.messages[0]).toMatchObject({
      role: 'persona',
      message: 'Hello, I am Ada. What would you like to talk about?',
    });
    // It is there some seconds after the end.
    const recordingUrl = (): Promise<string> =>
      service.api<{ recordingUrl: string }>('GET', `/v1/sessions/${sessionId}/recording`).then(
        (r) => r.recordingUrl,
        () => '',
      );
    await expect.poll(recordingUrl).not.toBe('');
    const movie = join(service.dataDir, 'downloaded.mp4');
    await writeFile(movie, Buffer.from(await (await fetch(await recordingUrl())).arrayBuffer()));
    const { stdout: streams } = await run('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name',
      '-of',
      'csv=p=0',
      movie,
    ]);
    expect(streams.trim().split('\n')).toEqual(['h264', 'aac']);

    // The session's log leads the same machines to the same decisions once more.
    const log = await fetch(`${service.url}/v1/sessions/${sessionId}/log`, {
      headers: { authorization: `Bearer ${service.apiKey}` },
    });
    const file = join(service.dataDir, 'session.jsonl');
    await writeFile(file, await log.text());
    const { stdout } = await run(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      'scripts/replay.ts',
      file,
    ]);
    expect(stdout).toContain('Every decision was the same.');
  });
});

// A host with two addresses, of which clients are told the second: the kernel answered from the first, and no call came
// about.
it('the unmodified public client reaches a service at an address that is not the first of its interface', async () => {
  const service = await startService({
    env: { PARLEY_HOST: '0.0.0.0', PARLEY_PUBLIC_IP: '127.0.0.2', PARLEY_ICE_TCP_PORT: 'off' },
  });
  try {
    const { data: avatars } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars');
    const session = await connectSdk(service, {
      personaConfig: { name: 'Ada', avatarId: avatars[0]?.id, initialMessage: 'Hello, I am Ada.' },
    });
    await session.until('the greeting', (events) => personaTurnsEnded(events) >= 1);
    await session.close();
  } finally {
    await service.stop();
  }
});
