import { personaTurnsEnded, userTurns } from './chunks.ts';
import type { SdkSession } from './sdk-session.ts';
import type { RunningService } from './service.ts';

export const GREETING = 'Hello there.';

export async function firstAvatar(service: RunningService): Promise<string> {
  const { data } = await service.api<{ data: readonly { id: string }[] }>('GET', '/v1/avatars');
  if (data[0] === undefined) throw new Error('The service has no avatar.');
  return data[0].id;
}

/** A persona that greets, and that stays however long nobody speaks. */
export async function ada(service: RunningService): Promise<Record<string, unknown>> {
  return {
    name: 'Ada',
    avatarId: await firstAvatar(service),
    initialMessage: GREETING,
    systemPrompt: 'You are Ada, a friendly guide.',
    voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
  };
}

/** Ada greets, is asked something aloud, and answers. */
export async function conversesAloud(session: SdkSession): Promise<void> {
  await session.until('the greeting', (events) => personaTurnsEnded(events) === 1);
  await session.say('What is your name?');
  await session.until('the answer', (events) => userTurns(events).length === 1 && personaTurnsEnded(events) === 2);
}
