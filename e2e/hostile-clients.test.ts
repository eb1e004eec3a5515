import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openLoopbackClient, type LoopbackClient } from '../engine/transport/testing/loopback-client.ts';
import { startService, type RunningService } from './support/service.ts';
import { eventually } from '../engine/testing/eventually.ts';

/** A client made of parts, which can leave out or spoil any of them. */
interface RawClient {
  readonly sessionId: string;
  readonly socket: WebSocket;
  readonly media: LoopbackClient;
  readonly messages: { messageType: string; data: Record<string, unknown> }[];
  readonly signals: { actionType: string; payload: unknown }[];
}

/** What broken, hostile and careless clients get, and that nobody else notices. */
describe('a hostile client', () => {
  let service: RunningService;
  let avatarId: string;
  let voiceId: string;
  let bystander: RawClient;

  beforeAll(async () => {
    service = await startService();
    avatarId = (await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars')).data[0]?.id ?? '';
    voiceId = (await service.api<{ data: { id: string }[] }>('GET', '/v1/voices')).data[0]?.id ?? '';
    bystander = await connect();
  });
  afterAll(async () => {
    bystander?.media.close();
    bystander?.socket.close();
    await service?.stop();
  });

  const post = async (
    path: string,
    body: unknown,
    key: string | null = service.apiKey,
  ): Promise<{ status: number; body: { error: string; message: string; summary?: string } }> => {
    const response = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as { error: string; message: string } };
  };
  const startSession = async (): Promise<string> => {
    const personaConfig = {
      avatarId,
      skipGreeting: true,
      voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
    };
    return (await service.api<{ sessionId: string }>('POST', '/v1/engine/session', { personaConfig })).sessionId;
  };
  const openSocket = async (sessionId: string): Promise<WebSocket> => {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/ws?session_id=${sessionId}`);
    await once(socket, 'open');
    return socket;
  };
  async function connect(): Promise<RawClient> {
    const sessionId = await startSession();
    const socket = await openSocket(sessionId);
    const messages: RawClient['messages'] = [];
    const signals: RawClient['signals'] = [];
    const media = openLoopbackClient({
      onMessage: (text) => messages.push(JSON.parse(text) as RawClient['messages'][number]),
    });
    socket.on('message', (data: Buffer) => {
      const signal = JSON.parse(data.toString()) as RawClient['signals'][number];
      signals.push(signal);
      if (signal.actionType === 'answer') media.acceptAnswer((signal.payload as { sdp: string }).sdp);
    });
    // Candidates that come before the offer are kept, not dropped and not fatal.
    socket.send(
      JSON.stringify({
        actionType: 'icecandidate',
        sessionId,
        payload: { candidate: 'candidate:1 1 udp 1 127.0.0.1 9 typ host', sdpMid: '0' },
      }),
    );
    socket.send(
      JSON.stringify({
        actionType: 'offer',
        sessionId,
        payload: { connectionDescription: { type: 'offer', sdp: media.offer }, userUid: sessionId },
      }),
    );
    await eventually(() => expect(signals.map(({ actionType }) => actionType)).toContain('sessionready'));
    // The service says so when the channel is open at its end. What is sent before it is open here is lost.
    await media.channelOpen;
    return { sessionId, socket, media, messages, signals };
  }
  /** The bystander's session still hears and speaks. */
  const bystanderIsFine = async (): Promise<void> => {
    const before = bystander.messages.length;
    bystander.media.sendMessage(
      JSON.stringify({
        message_type: 'speech',
        session_id: bystander.sessionId,
        content: 'Hello there!',
        timestamp: '2026-01-01T00:00:00.000',
      }),
    );
    await expect
      .poll(() =>
        bystander.messages
          .slice(before)
          .some(({ messageType, data }) => messageType === 'speechText' && data['end_of_speech'] === true),
      )
      .toBe(true);
  };

  it('is told what is wrong with its credentials', async () => {
    expect(await post('/v1/engine/session', {}, null)).toMatchObject({
      status: 401,
      body: { error: 'Missing or invalid API key' },
    });
    expect(await post('/v1/engine/session', {}, 'no-such-key-anywhere')).toMatchObject({
      status: 401,
      body: { error: 'Invalid API key' },
    });
    const { sessionToken } = await service.api<{ sessionToken: string }>('POST', '/v1/auth/session-token', {
      personaConfig: { avatarId },
      expiresIn: 60,
    });
    const [head, , signature] = sessionToken.split('.');
    const forged = `${head}.${Buffer.from(JSON.stringify({ type: 'ephemeral', exp: 1, jti: randomUUID() })).toString('base64url')}.${signature}`;
    expect(await post('/v1/engine/session', {}, forged)).toMatchObject({
      status: 401,
      body: { error: 'Invalid session token' },
    });
  });

  it('is told what is wrong with its persona', async () => {
    expect(await post('/v1/auth/session-token', { personaConfig: { personaId: randomUUID() } })).toMatchObject({
      status: 404,
      body: { error: 'Persona not found' },
    });
    const wrongKind = await post('/v1/auth/session-token', { personaConfig: { avatarId: voiceId } });
    expect(wrongKind).toMatchObject({ status: 400, body: { error: 'Validation error' } });
    expect(wrongKind.body.summary).toMatch(/avatarId.*voice/);
    expect(await post('/v1/auth/session-token', '{"personaConfig":')).toMatchObject({
      status: 400,
      body: { error: 'Invalid request body' },
    });
    await bystanderIsFine();
  });

  it('with junk on the socket is cut off, with junk on the data channel ignored', async () => {
    const client = await connect();
    for (const junk of [
      '{',
      'null',
      '[]',
      '{"message_type":7}',
      '{"message_type":"tool_result"}',
      JSON.stringify({ message_type: 'speech', content: 'x'.repeat(60_000) }),
      '\u0000',
    ]) {
      client.media.sendMessage(junk);
    }
    for (let i = 0; i < 300; i++) client.socket.send('{"actionType":"dance"');
    expect((await once(client.socket, 'close'))[0]).toBe(1008);
    client.media.close();
    await bystanderIsFine();
  });

  it('that nests a message thousands of levels deep is warned, and its session lives on', async () => {
    const client = await connect();
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    client.media.sendMessage(`{"message_type":"tool_result","tool_call_id":"fc_1","result":${deep}}`);
    client.media.sendMessage(`{"message_type":"persona_config","data":${deep}}`);
    const warned = {
      actionType: 'warning',
      payload: 'A message on the data channel was ignored: it is nested more than 64 levels deep.',
    };
    await expect
      .poll(() => client.signals.filter(({ actionType }) => actionType === 'warning'))
      .toMatchObject([warned, warned]);
    client.media.sendMessage(JSON.stringify({ message_type: 'speech', content: 'Hello there!' }));
    await expect
      .poll(() =>
        client.messages.some(({ messageType, data }) => messageType === 'speechText' && data['end_of_speech'] === true),
      )
      .toBe(true);
    client.media.close();
    client.socket.close();
  });

  it('with an offer that is no SDP is warned and may try again', async () => {
    const sessionId = await startSession();
    const socket = await openSocket(sessionId);
    const answers: string[] = [];
    socket.on('message', (data: Buffer) =>
      answers.push((JSON.parse(data.toString()) as { actionType: string }).actionType),
    );
    socket.send(
      JSON.stringify({
        actionType: 'offer',
        sessionId,
        payload: { connectionDescription: { type: 'offer', sdp: 'v=0\r\nnonsense' } },
      }),
    );
    await expect.poll(() => answers).toContain('warning');
    const media = openLoopbackClient();
    socket.send(
      JSON.stringify({
        actionType: 'offer',
        sessionId,
        payload: { connectionDescription: { type: 'offer', sdp: media.offer } },
      }),
    );
    await expect.poll(() => answers).toContain('answer');
    media.close();
    socket.close();
    await bystanderIsFine();
  });

  it('that vanishes without a word leaves its session on hold, and the others alone', async () => {
    const client = await connect();
    client.socket.terminate();
    await bystanderIsFine();
    expect(
      (await service.api<{ end_reason: string | null }>('GET', `/v1/sessions/${client.sessionId}`)).end_reason,
    ).toBeNull();
    // Its goodbye is an SCTP abort without a DTLS alert, which is only believed where nobody was starved for half a minute.
    await service.api('POST', `/v1/sessions/${client.sessionId}/stop`);
    client.media.close();
  });

  it('that comes back after the end is told why, once it has made its offer', async () => {
    const client = await connect();
    await service.api('POST', `/v1/sessions/${client.sessionId}/stop`);
    await expect
      .poll(() => client.signals.at(-1))
      .toMatchObject({ actionType: 'endsession', code: 'stopped_by_api', payload: 'Session was stopped.' });
    const again = await openSocket(client.sessionId);
    const told = once(again, 'message');
    again.send(
      JSON.stringify({
        actionType: 'offer',
        sessionId: client.sessionId,
        payload: { connectionDescription: { type: 'offer', sdp: client.media.offer } },
      }),
    );
    expect(JSON.parse(String((await told)[0]))).toMatchObject({
      actionType: 'endsession',
      code: 'stopped_by_api',
      payload: 'Session was stopped.',
    });
    client.media.close();
  });

  it('never made the service log what was said', () => {
    expect(service.output()).not.toContain('Hello there');
  });
});
