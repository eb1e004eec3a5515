import { describe, expect, it } from 'vitest';
import { bytesOfAnswer, type Progress } from './bytes-of-answer.ts';

/** Proxies reset a connection after the last event, or keep it open: each cost a whole answer, or 15 s of silence. */

type Body = NonNullable<Response['body']>;

/** @returns what is read of an answer whose connection then does as `after` says. */
async function read(after: (pieces: ReadableStreamDefaultController<Uint8Array>) => void, progress: Progress) {
  let left = false;
  const body = new ReadableStream<Uint8Array>({
    start(pieces) {
      pieces.enqueue(Buffer.from('Hel'));
      pieces.enqueue(Buffer.from('lo.'));
    },
    pull: after,
    cancel: () => void (left = true),
  });
  let text = '';
  for await (const bytes of bytesOfAnswer(body as Body, progress)) text += Buffer.from(bytes).toString();
  return { text, left };
}

const reset = (pieces: ReadableStreamDefaultController<Uint8Array>): void => pieces.error(new Error('reset'));
const stays = (): Promise<never> => new Promise(() => {});

describe('The bytes of an answer', () => {
  it('are read to their end', async () => {
    const { text } = await read((pieces) => pieces.close(), { saidDone: false, isComplete: false });
    expect(text).toBe('Hello.');
  });

  it('count where the connection breaks after why the answer ends was said', async () => {
    expect((await read(reset, { saidDone: false, isComplete: true })).text).toBe('Hello.');
  });

  it('do not count where it breaks before that', async () => {
    await expect(read(reset, { saidDone: false, isComplete: false })).rejects.toThrow('reset');
  });

  it('are over where the connection stays open after the stream said that it ends, and the connection is left', async () => {
    expect(await read(stays, { saidDone: true, isComplete: true })).toEqual({ text: 'Hello.', left: true });
  });
});
