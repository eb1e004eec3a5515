import { sessionCost } from '../../engine/capacity/session-cost.ts';

/**
 * What one session takes, by what it does, each figure with the measurement that it comes from. 720×480 with H.264; speech
 * recognition and LLM are services elsewhere. Cores are those of the faster host of `bench/README.md`.
 */

/** `speaking`: the persona speaks. `idle`: it listens, and the microphone of its user is on. */
export type Doing = 'speaking' | 'idle';

export interface Use {
  /** Of the main thread of its process. */
  readonly mainCores: number;
  /** Of the audio-in thread. */
  readonly audioInCores: number;
  /** Of all threads that draw and encode. */
  readonly videoCores: number;
  /** Of the WebRTC library, of encryption and of the processes of offline voices. */
  readonly nativeCores: number;
  readonly packetsIn: number;
  readonly packetsOut: number;
  readonly kbitIn: number;
  readonly kbitOut: number;
  /** Of memory that threads read and write for its pictures, a second. */
  readonly pictureBytes: number;
}

/** Of an Ethernet frame around a packet: Ethernet 18, IPv4 20, UDP 8, RTP with extensions 24, SRTP 10. */
const HEADER_BYTES = 80;
/** Packets of 20 ms, each way: the microphone stays on, and silence of the persona is sent, too. */
const AUDIO_PACKETS = 50;
/** `engine/audio-out/encode/opus-encoder.ts`; browsers send about as much. */
const AUDIO_KBIT = 32;
const FRAMES = 25;
/** `docs/guides/sizing.md`: 320 to 330 of a face that speaks. What an idle one needs was not measured; it is less. */
const VIDEO_KBIT = 325;
/** A frame of 325 kbit/s has 1,625 bytes, and a packet takes 1,200. */
const PACKETS_OF_SPEAKING_FRAME = 2;
/** 125 packets a second of an idle session (`bench/README.md`) are two times 50 of audio and one for each frame. */
const PACKETS_OF_IDLE_FRAME = 1;
/** Transport feedback every 50 to 100 ms (`docs/decisions/transport.md`: reports every 50 to 250 ms). Of 60 bytes each. */
const FEEDBACK_PACKETS = 15;
const FEEDBACK_BYTES = 60;

/** One I420 picture of 720×480. */
const PICTURE_BYTES = 720 * 480 * 1.5;
/**
 * Times that a whole picture is read or written for a frame: drawn, given to the encoder, read there, compared with its
 * reference, and the new reference written. A computed upper bound: only the parts that changed are drawn and encoded.
 */
const PICTURE_PASSES = 6;

const network = (packetsOfFrame: number, videoKbit: number) => {
  const packetsIn = AUDIO_PACKETS + FEEDBACK_PACKETS;
  const packetsOut = AUDIO_PACKETS + FRAMES * packetsOfFrame;
  const kbit = (packets: number): number => (packets * HEADER_BYTES * 8) / 1000;
  return {
    packetsIn,
    packetsOut,
    kbitIn: AUDIO_KBIT + (FEEDBACK_PACKETS * FEEDBACK_BYTES * 8) / 1000 + kbit(packetsIn),
    kbitOut: AUDIO_KBIT + videoKbit + kbit(packetsOut),
  };
};

/**
 * CPU: `bench/video-sessions`, 2026-11-25, where the calibration's frame takes 0.38 ms: speaking 5.5 % of a core (main 1.8 to
 * 2.3, video 2.5, audio in 0.7), idle 1.8 (main 0.8, audio in 0.6, video 0.1). The rest is V8's own threads and the WebRTC
 * library. Offline voices take 2 % more while they are heard (`bench/soak.ts`).
 */
export const USE: Readonly<Record<Doing, Use>> = {
  speaking: {
    mainCores: 0.02,
    audioInCores: 0.007,
    videoCores: 0.025,
    nativeCores: 0.003 + 0.02,
    ...network(PACKETS_OF_SPEAKING_FRAME, VIDEO_KBIT),
    pictureBytes: FRAMES * PICTURE_BYTES * PICTURE_PASSES,
  },
  idle: {
    mainCores: 0.008,
    audioInCores: 0.006,
    videoCores: 0.001,
    nativeCores: 0.003,
    ...network(PACKETS_OF_IDLE_FRAME, VIDEO_KBIT / 2),
    // Frames of an idle face were encoded before; they are only sent.
    pictureBytes: 0,
  },
};

/** What the capacity rule plans for a session where the calibration's frame takes 0.38 ms. */
export const PLANNED = sessionCost(0.38, { recognizesHere: false });

/** `engine/capacity/places.ts`: what a session takes of memory. */
const SESSION_BYTES = 40 * 1024 ** 2;
/** Ten sessions with the service took 650 to 870 MB (`docs/guides/sizing.md`), so this is left for a process. */
const PROCESS_BYTES = 470 * 1024 ** 2;

export function coresOf(use: Use): number {
  return use.mainCores + use.audioInCores + use.videoCores + use.nativeCores;
}

/** @param processes engine processes, besides the supervisor. @returns bytes. */
export function memoryOf(processes: number, sessions: number): number {
  return (processes + 1) * PROCESS_BYTES + sessions * SESSION_BYTES;
}

/** What sessions take together. */
export function useOf(doings: Iterable<Doing>): Use {
  const total: Record<keyof Use, number> = {
    mainCores: 0,
    audioInCores: 0,
    videoCores: 0,
    nativeCores: 0,
    packetsIn: 0,
    packetsOut: 0,
    kbitIn: 0,
    kbitOut: 0,
    pictureBytes: 0,
  };
  const names = Object.keys(total) as (keyof Use)[];
  for (const doing of doings) for (const name of names) total[name] += USE[doing][name];
  return total;
}
