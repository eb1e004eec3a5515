/** A process that plays some of the callers of `bench/many-cores.ts`: all of them talk until they are to hang up. */
import { setTimeout as pause } from 'node:timers/promises';
import { engineNow } from '../../runtime/clock.ts';
import { ArrivalLateness, type MediaKind } from '../lib/arrival-lateness.ts';
import { converse, type Conversation } from '../lib/conversation.ts';
import { speakSentence } from '../lib/spoken-sentence.ts';
import type { FromCallers, Heard, ToCallers } from './messages.ts';

/** Sound comes every 20 ms: a call without it for so long is dead, ms. */
const DEAD_AFTER_MS = 1_000;
const sentence = speakSentence('What time is it in London today?');
const tell = (message: FromCallers): void => void process.send!(message);

/** One call, and when its sound came. */
interface Call {
  readonly conversation: Conversation;
  readonly heardAt: number[];
}

let calls: Call[] = [];
let arrivals = newArrivals();

function newArrivals(): Record<MediaKind, ArrivalLateness> {
  return { audio: new ArrivalLateness('audio'), video: new ArrivalLateness('video') };
}

async function call({ service, people, everyMs }: Extract<ToCallers, { type: 'call' }>): Promise<void> {
  const refusals: string[] = [];
  const coming: Promise<void>[] = [];
  for (let person = 0; person < people; person++) {
    const heardAt: number[] = [];
    const audio = {
      stream() {
        const arrived = arrivals.audio.stream();
        return (timestamp: number, at: number): void => {
          heardAt.push(at);
          arrived(timestamp, at);
        };
      },
    };
    const sessionOptions = { sessionReplay: { enableSessionReplay: true } };
    coming.push(
      converse(service, { spoken: sentence, arrivals: { audio, video: arrivals.video }, sessionOptions }).then(
        (conversation) => void calls.push({ conversation, heardAt }),
        (error: unknown) => void refusals.push(String(error)),
      ),
    );
    await pause(everyMs);
  }
  await Promise.all(coming);
  tell({ type: 'called', taken: people - refusals.length, refusals });
}

function heardSince(since: number): Heard {
  const now = engineNow();
  return {
    frames: { audio: arrivals.audio.arrivals(since, now), video: arrivals.video.arrivals(since, now) },
    answers: calls.flatMap(({ conversation }) =>
      conversation.turns
        .filter(({ askedAt }) => askedAt >= since)
        .map(({ askedAt, firstAudioAt }) => (firstAudioAt === null ? null : firstAudioAt - askedAt)),
    ),
    silences: calls.map(({ heardAt }) => longestGap(heardAt, since)),
    dead: calls.filter(
      ({ conversation, heardAt }) => conversation.ended() !== null || now - (heardAt.at(-1) ?? 0) > DEAD_AFTER_MS,
    ).length,
  };
}

/** Between two arrivals of which the second is later than `since`. */
function longestGap(arrivedAt: readonly number[], since: number): number {
  let longest = 0;
  for (let index = arrivedAt.length - 1; index > 0 && arrivedAt[index]! >= since; index--)
    longest = Math.max(longest, arrivedAt[index]! - arrivedAt[index - 1]!);
  return longest;
}

async function hangUp(): Promise<void> {
  const ended = calls;
  calls = [];
  await Promise.all(ended.map(({ conversation }) => conversation.stop()));
  arrivals = newArrivals();
  tell({ type: 'hung up' });
}

process.on('message', (message: ToCallers) => {
  switch (message.type) {
    case 'call':
      return void call(message);
    case 'report':
      return tell({ type: 'reported', ...heardSince(message.since) });
    case 'hang up':
      return void hangUp();
  }
});
process.once('disconnect', () => process.exit(0));
