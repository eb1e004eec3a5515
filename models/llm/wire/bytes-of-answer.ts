import { setTimeout as pause } from 'node:timers/promises';

/**
 * How long a connection may take to close behind the end of its stream, so that it is used again, and behind the end of an
 * answer: what it took may follow, and agents go on after a tool.
 */
const CLOSING_MS = { stream: 100, answer: 4_000 };

/** What is known of an answer while its bytes come. */
export interface Progress {
  /** Whether the stream said that it ends. */
  readonly saidDone: boolean;
  /** Whether nothing of the answer is lost if its connection breaks now. */
  readonly isComplete: boolean;
}

/**
 * The bytes of an answer, to its end. A connection that breaks or stays open after that costs nothing: some proxies
 * reset it, or close it without the last chunk.
 * @param progress changes as the bytes are read. @throws what reading the body throws, while something is missing.
 */
export async function* bytesOfAnswer(
  body: NonNullable<Response['body']>,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const read = reader.read();
      const { done, value } = await Promise.race([read, ...lateness(progress)]);
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (!progress.isComplete) throw error;
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function lateness({ saidDone, isComplete }: Progress): Promise<{ done: true; value: undefined }>[] {
  if (!isComplete) return [];
  const ms = saidDone ? CLOSING_MS.stream : CLOSING_MS.answer;
  return [pause(ms, { done: true, value: undefined }, { ref: false })];
}
