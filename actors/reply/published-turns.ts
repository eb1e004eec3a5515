import { correctUser } from '../history/conversation-history.ts';
import type { PublishedTurn } from '../history/published-turn.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import type { UserTurn } from '../kernel/inner-events.ts';
import type { TranscriptMessage } from '../report.ts';

/** Words come late by seconds: nobody says more messages than this meanwhile. */
const KEPT = 4;

export function rememberPublished(env: SessionEnvironment, correlationId: string, message: TranscriptMessage): void {
  const published = { correlationId, message, publishedAt: env.now() };
  env.memory.published = [...env.memory.published, published].slice(-KEPT);
}

export function publishedTurn({ memory }: SessionEnvironment, correlationId: string): PublishedTurn | undefined {
  return memory.published.find((one) => one.correlationId === correlationId);
}

/** Mends a message in the history and in the transcript. @returns whether it is known. */
export function correctPublished(
  env: SessionEnvironment,
  correlationId: string,
  { text, language, correlationId: newId }: Pick<UserTurn, 'text' | 'language' | 'correlationId'>,
): boolean {
  const known = publishedTurn(env, correlationId);
  if (known === undefined) return false;
  const message = { ...known.message, text };
  env.memory.published = env.memory.published.map((one) =>
    one === known ? { ...known, correlationId: newId, message, publishedAt: env.now() } : one,
  );
  env.memory.history = correctUser(env.memory.history, { id: message.messageId, text, language });
  env.perform({ type: 'report', entry: { kind: 'message', message } });
  return true;
}
