import type { SenderState, StreamState } from '../connection-state.ts';
import { PICTURE_ID_MASK } from './packetize-vp8.ts';

/**
 * How many packets of frames another process may have sent in a millisecond: 9 Mbit/s. Numbers that it has used must
 * not be used again, because a receiver takes such packets for old ones.
 */
const FRAMES_PER_MS = 1;
/** The pacer sends one each 20 ms, and after a stall a few at once. */
const SOUND_PER_MS = 1 / 20;
/** For what left in one burst just after the state was taken: a keyframe has up to 60 packets. */
const IN_ONE_BURST = 64;
/** A receiver takes a number that is half of all numbers ahead for an old one; this leaves as much room again. */
const FURTHEST = 2 ** 14;
/** VP8: one for each frame. These have 15 bits. */
const PICTURES_PER_MS = 1 / 40;
const PICTURES_IN_ONE_BURST = 2;

/**
 * Where outgoing media go on in another process: numbers skip what the other process may have used after the state was
 * taken, and timestamps tell the time that has passed, so that a receiver plays on at once. Pure.
 * @param elapsedMs since the state was taken; 0…
 */
export function skipAhead(state: SenderState, elapsedMs: number): SenderState {
  const frames = packets(elapsedMs, FRAMES_PER_MS, IN_ONE_BURST);
  return {
    cname: state.cname,
    video: stream(state.video, elapsedMs, frames, 90),
    audio: stream(state.audio, elapsedMs, packets(elapsedMs, SOUND_PER_MS, IN_ONE_BURST), 48),
    rtx: { ssrc: state.rtx.ssrc, sequence: (state.rtx.sequence + frames) & 0xffff },
    pictureId: (state.pictureId + packets(elapsedMs, PICTURES_PER_MS, PICTURES_IN_ONE_BURST)) & PICTURE_ID_MASK,
    // Retransmissions have numbers here as well.
    transportSequence: (state.transportSequence + frames) & 0xffff,
  };
}

function packets(elapsedMs: number, perMs: number, atOnce: number): number {
  return Math.min(FURTHEST, Math.ceil(elapsedMs * perMs) + atOnce);
}

function stream(state: StreamState, elapsedMs: number, skipped: number, ticksPerMs: number): StreamState {
  return {
    ...state,
    sequence: (state.sequence + skipped) & 0xffff,
    timestamp: (state.timestamp + Math.round(elapsedMs * ticksPerMs)) % 2 ** 32,
  };
}
