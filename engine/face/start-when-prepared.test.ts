import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { AvatarUnavailableError, type FaceStream } from '../ports.ts';
import { startWhenPrepared, FIRST_PAUSE_MS, MAX_PAUSE_MS } from './start-when-prepared.ts';

/** A stream whose avatar a test lets come or fail. */
function scene() {
  const clock = new SimulatedClock();
  const said: string[] = [];
  const asked: PromiseWithResolvers<void>[] = [];
  const say = (text: string) => (): void => void said.push(text);
  const stream = {
    start: say('started'),
    setCodec() {},
    close: say('closed'),
  } as unknown as FaceStream;
  const prepare = (): Promise<void> => {
    const answer = Promise.withResolvers<void>();
    asked.push(answer);
    return answer.promise;
  };
  const opened = startWhenPrepared(
    stream,
    prepare,
    { failed: (message) => said.push(message) },
    say('released'),
    clock,
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    said,
    asked,
    stream: opened,
    async fail(error: Error) {
      asked.at(-1)!.reject(error);
      await settle();
    },
    async come() {
      asked.at(-1)!.resolve();
      await settle();
    },
  };
}

const away = new AvatarUnavailableError('photo-a', 'away');

it('A stream starts when its avatar is prepared, and not when it was closed meanwhile', async () => {
  const { stream, come, said } = scene();
  stream.start('vp8');
  expect(said).toEqual([]);
  await come();
  expect(said).toEqual(['started']);
  const other = scene();
  other.stream.start('vp8');
  other.stream.close();
  await other.come();
  expect(other.said).toEqual(['closed', 'released']);
});

it('An avatar that cannot be had is asked for again, less and less often, and shown when it can', async () => {
  const { stream, clock, asked, fail, come, said } = scene();
  stream.start('vp8');
  await fail(away);
  clock.increment(FIRST_PAUSE_MS - 1);
  expect(asked).toHaveLength(1);
  clock.increment(1);
  expect(asked).toHaveLength(2);
  for (let pause = 2 * FIRST_PAUSE_MS; pause < 10 * MAX_PAUSE_MS; pause *= 2) {
    await fail(away);
    const before = asked.length;
    clock.increment(Math.min(pause, MAX_PAUSE_MS) - 1);
    expect(asked).toHaveLength(before);
    clock.increment(1);
    expect(asked).toHaveLength(before + 1);
  }
  await come();
  expect(said).toEqual(['started']);
});

it('Nobody asks for the avatar of a stream that was closed', async () => {
  const { stream, clock, asked, fail } = scene();
  stream.start('vp8');
  await fail(away);
  stream.close();
  clock.increment(MAX_PAUSE_MS);
  expect(asked).toHaveLength(1);
});

it('An avatar that cannot be drawn fails the stream', async () => {
  const { stream, fail, said } = scene();
  stream.start('vp8');
  await fail(new Error('no such file'));
  expect(said).toEqual(['no such file']);
});
