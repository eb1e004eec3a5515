import { expect } from 'vitest';
import { eventually } from '../../engine/testing/eventually.ts';
import { openBenchClient } from '../../bench/lib/bench-client.ts';
import { signalingUrl, startSession, typed } from '../../bench/lib/conversation.ts';
import type { RunningService } from './service.ts';

/** A user without a browser, who types. */
export interface LightConversation {
  readonly sessionId: string;
  /** All that the persona said. */
  heard(): string;
  say(text: string): void;
  /** Asks something and waits until the persona has said all of its answer. */
  isAnswered(): Promise<void>;
  close(): void;
}

export async function openLightConversation(
  service: RunningService,
  personaConfig: Record<string, unknown> = {},
): Promise<LightConversation> {
  const sessionId = await startSession(service, personaConfig);
  let heard = '';
  let answers = 0;
  const client = await openBenchClient(signalingUrl(service), sessionId, {
    onMessage(text) {
      const { messageType, data } = JSON.parse(text) as {
        messageType: string;
        data: { role?: string; content?: string; end_of_speech?: boolean };
      };
      if (messageType !== 'speechText' || data.role !== 'persona') return;
      heard += data.content ?? '';
      if (data.end_of_speech === true) answers += 1;
    },
  });
  await client.ready;
  const say = (text: string): void => void client.sendMessage(typed(text));
  return {
    sessionId,
    heard: () => heard,
    say,
    async isAnswered() {
      const before = answers;
      say('Hello there!');
      await eventually(() => expect(answers).toBeGreaterThan(before));
    },
    close: () => client.close(),
  };
}
