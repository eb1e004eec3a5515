import { engineNow } from '../../runtime/clock.ts';
import { silencePacket } from '../../engine/audio-out/encode/silence-packet.ts';
import type { SpokenSentence } from './spoken-sentence.ts';

const PACKET_MS = 20;
/** While nobody speaks, a microphone with DTX sends one packet in this time (RFC 6716, section 2.1.9), ms. */
const DTX_MS = 400;

export interface Microphone {
  /**
   * Speaks a sentence in real time. @param onSent called for each packet that was sent. @returns the time at which its
   * last voiced sample was captured.
   */
  say(sentence: SpokenSentence, onSent?: (packet: number, at: number) => void): Promise<number>;
  close(): void;
}

/**
 * @param send one packet. `at`: packets of 20 ms since the beginning.
 * @param inSilence whether it sends every packet of silence, or rests (DTX).
 */
export function openMicrophone(
  send: (payload: Uint8Array, sequence: number, at: number) => void,
  inSilence: 'sends' | 'rests',
): Microphone {
  const silence = silencePacket();
  const startedAt = engineNow();
  let sequence = 0;
  let at = 0;
  let speaking: {
    readonly sentence: SpokenSentence;
    next: number;
    readonly startedAt: number;
    readonly onSent: (packet: number, at: number) => void;
    readonly done: (voicedUntil: number) => void;
  } | null = null;
  let timer: NodeJS.Timeout | undefined;

  function take(): void {
    const packet = speaking?.sentence.packets[speaking.next];
    const isResting = inSilence === 'rests' && speaking === null && at % (DTX_MS / PACKET_MS) !== 0;
    if (!isResting) send(packet ?? silence, sequence++, at);
    if (speaking === null) return;
    if (packet !== undefined) speaking.onSent(speaking.next, engineNow());
    speaking.next += 1;
    if (packet !== undefined) return;
    speaking.done(speaking.startedAt + speaking.sentence.voicedUntilMs);
    speaking = null;
  }

  /** Sends as many packets as are due, so that a late timer does not slow the microphone. */
  function sendDue(): void {
    for (const due = Math.floor((engineNow() - startedAt) / PACKET_MS); at < due; at++) take();
  }

  function tick(): void {
    sendDue();
    clearTimeout(timer);
    timer = setTimeout(tick, inSilence === 'rests' && speaking === null ? DTX_MS : PACKET_MS / 4);
  }
  tick();

  return {
    say: (sentence, onSent = () => {}) =>
      new Promise((resolve) => {
        sendDue();
        // A packet is sent when its last sample was captured, so its audio began one packet before.
        speaking = { sentence, next: 0, startedAt: startedAt + at * PACKET_MS, onSent, done: resolve };
        tick();
      }),
    close: () => clearTimeout(timer),
  };
}
