import { personaTurnsEnded, userTurns } from './chunks.ts';
import type { HeardEvent, SdkSession } from './sdk-session.ts';
import type { RunningService } from './service.ts';

export const GREETING = 'Hello there.';

export async function firstAvatar(service: Pick<RunningService, 'api'>): Promise<string> {
  const { data } = await service.api<{ data: readonly { id: string }[] }>('GET', '/v1/avatars');
  if (data[0] === undefined) throw new Error('The service has no avatar.');
  return data[0].id;
}

/** A persona that greets, and that stays however long nobody speaks. */
export async function ada(service: Pick<RunningService, 'api'>): Promise<Record<string, unknown>> {
  return {
    name: 'Ada',
    avatarId: await firstAvatar(service),
    initialMessage: GREETING,
    systemPrompt: 'You are Ada, a friendly guide.',
    voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
  };
}

/** How long one waits for an answer before one asks again, ms. */
const PATIENCE_MS = 15_000;
const TRIES = 3;

/**
 * Ada greets, is asked something aloud, and answers. A browser that is starved plays the question with gaps, and the
 * recognizer hears no words in it: as people do, one asks again.
 */
export async function conversesAloud(session: SdkSession): Promise<void> {
  const isAnswered = (events: readonly HeardEvent[]): boolean =>
    userTurns(events).length > 0 && personaTurnsEnded(events) > 1;
  await session.until('the greeting', (events) => personaTurnsEnded(events) === 1);
  for (let tries = 1; ; tries += 1) {
    await session.say('What is your name?');
    try {
      return await session.until('the answer', isAnswered, tries < TRIES ? PATIENCE_MS : undefined);
    } catch (error) {
      if (tries === TRIES) throw error;
    }
  }
}
