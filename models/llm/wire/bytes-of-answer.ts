import { setTimeout as pause } from 'node:timers/promises';

/** How long a connection may take to close after its answer, so that it is used again. Proxies may keep it open. */
const CLOSING_MS = 100;

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
      const late = progress.saidDone
        ? [pause(CLOSING_MS, { done: true as const, value: undefined }, { ref: false })]
        : [];
      const { done, value } = await Promise.race([read, ...late]);
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (!progress.isComplete) throw error;
  } finally {
    void reader.cancel().catch(() => {});
  }
}
