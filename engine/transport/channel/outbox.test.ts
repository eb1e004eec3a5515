import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_WAITING, Outbox } from './outbox.ts';

const speech = (n: number): string => JSON.stringify({ messageType: 'speechText', data: { n } });
const mark = (n: number): string => JSON.stringify({ messageType: 'userSpeechStarted', data: { n } });

/** A channel that takes up to `room` messages. */
function channel(room = Number.POSITIVE_INFINITY) {
  const taken: string[] = [];
  return { taken, send: (text: string): boolean => taken.length < room && taken.push(text) > 0 };
}

it('keeps messages until a channel takes them, in order', () => {
  const outbox = new Outbox();
  for (const text of ['a', 'b', 'c']) outbox.push(text);
  const small = channel(2);
  outbox.flush(small.send, 0);
  expect(small.taken).toEqual(['a', 'b']);
  const large = channel();
  outbox.flush(large.send, 1);
  expect(large.taken).toEqual(['c']);
  expect(outbox.waiting).toBe(0);
});

it('repeats on the next channel what was not confirmed, before what is new', () => {
  const outbox = new Outbox();
  for (const [at, text] of [
    [10, 'a'],
    [20, 'b'],
    [30, 'c'],
  ] as const) {
    outbox.push(text);
    outbox.flush(channel().send, at)?.(at);
  }
  outbox.confirmed(20);
  outbox.push('d');
  outbox.returnUnconfirmed();
  const next = channel();
  outbox.flush(next.send, 40);
  expect(next.taken).toEqual(['c', 'd']);
});

it('counts messages over all processes: which have arrived, and which a channel took', () => {
  const outbox = new Outbox(10);
  expect([outbox.arrived, outbox.sent]).toEqual([10, 10]);
  for (const text of ['a', 'b', 'c']) outbox.push(text);
  expect([outbox.arrived, outbox.sent]).toEqual([10, 10]);
  outbox.flush(channel(2).send, 5)?.(5);
  expect([outbox.arrived, outbox.sent]).toEqual([10, 12]);
  outbox.confirmed(5);
  expect([outbox.arrived, outbox.sent]).toEqual([12, 12]);
  outbox.flush(channel().send, 6);
  outbox.returnUnconfirmed();
  expect([outbox.arrived, outbox.sent]).toEqual([12, 12]);
});

it('drops the oldest message that is not speech when too many wait, and speech only then', () => {
  const outbox = new Outbox();
  outbox.push(speech(0));
  outbox.push(mark(1));
  for (let n = 2; n <= MAX_WAITING; n++) outbox.push(speech(n));
  outbox.push(speech(MAX_WAITING + 1));
  const next = channel();
  outbox.flush(next.send, 0);
  expect(next.taken).toHaveLength(MAX_WAITING);
  expect(next.taken[0]).toBe(speech(2));
  expect(next.taken).not.toContain(mark(1));
});

it('loses and repeats nothing, whatever the order of sending, confirming and dying', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.constant('push'), fc.constant('flush'), fc.constant('die'), fc.constant('confirm')), {
        maxLength: 100,
      }),
      (steps) => {
        const outbox = new Outbox();
        /**
         * The client's messages: those that the channel took arrive when they are confirmed; the others are lost with
         * the peer.
         */
        const received: string[] = [];
        let underway: string[] = [];
        let pushed = 0;
        for (const [at, step] of steps.entries()) {
          if (step === 'push') outbox.push(String(pushed++));
          else if (step === 'flush') outbox.flush((text) => underway.push(text) > 0, at)?.(at);
          else if (step === 'confirm') {
            received.push(...underway.splice(0));
            outbox.confirmed(at);
          } else {
            underway = [];
            outbox.returnUnconfirmed();
          }
        }
        outbox.flush((text) => underway.push(text) > 0, steps.length);
        expect([...received, ...underway]).toEqual(Array.from({ length: pushed }, (_, n) => String(n)));
      },
    ),
  );
});
