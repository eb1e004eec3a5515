import { once } from 'node:events';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { openLoopbackClient, type LoopbackClient } from '../../engine/transport/testing/loopback-client.ts';
import { startSession } from './raw-session.ts';
import type { RunningService } from './service.ts';

/** A client without a browser that talks by text: many such clients cost little. */
export interface LightClient {
  readonly sessionId: string;
  readonly socket: WebSocket;
  readonly media: LoopbackClient;
  readonly signals: readonly { readonly actionType: string; readonly payload: unknown }[];
  /** Messages of the persona that were finished. */
  replies(): number;
  /** Says this and waits for the persona's answer. */
  ask(text: string): Promise<void>;
  close(): void;
}

export async function firstAvatar(service: RunningService): Promise<string> {
  return (await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars')).data[0]?.id ?? '';
}

/**
 * @param route changes the answer, so that media takes another way. @returns a client whose session is live, and stays so
 * while nobody speaks.
 */
export async function openLightClient(
  service: RunningService,
  route: (answer: string) => string = (answer) => answer,
): Promise<LightClient> {
  const persona = {
    avatarId: await firstAvatar(service),
    skipGreeting: true,
    voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
  };
  const { sessionId, url } = await startSession(service, persona);
  const socket = new WebSocket(url);
  const signals: { actionType: string; payload: unknown }[] = [];
  let replies = 0;
  const media = openLoopbackClient({
    onMessage: (text) => {
      const { messageType, data } = JSON.parse(text) as {
        messageType: string;
        data: { role?: string; end_of_speech?: boolean };
      };
      if (messageType === 'speechText' && data.role === 'persona' && data.end_of_speech === true) replies += 1;
    },
  });
  socket.on('message', (data: Buffer) => {
    const signal = JSON.parse(data.toString()) as (typeof signals)[number];
    signals.push(signal);
    if (signal.actionType === 'answer') media.acceptAnswer(route((signal.payload as { sdp: string }).sdp));
  });
  await once(socket, 'open');
  socket.send(
    JSON.stringify({
      actionType: 'offer',
      sessionId,
      payload: { connectionDescription: { type: 'offer', sdp: media.offer } },
    }),
  );
  await expect.poll(() => signals.map(({ actionType }) => actionType)).toContain('sessionready');
  return {
    sessionId,
    socket,
    media,
    signals,
    replies: () => replies,
    async ask(text) {
      const before = replies;
      await media.channelOpen;
      media.sendMessage(JSON.stringify({ message_type: 'speech', content: text }));
      await expect.poll(() => replies).toBeGreaterThan(before);
    },
    close() {
      media.close();
      socket.close();
    },
  };
}
