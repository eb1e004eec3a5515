import type { PassthroughRefusal } from '../../actors/events.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { Logger } from '../../runtime/log.ts';
import { TokenBucket } from '../../runtime/token-bucket.ts';
import type { AudioOutEvent, AudioOutStream, PassthroughLimits } from '../ports.ts';
import { AgentAudioStream, type AgentSpeech } from './agent-audio-stream.ts';
import { AgentRpc } from './agent-rpc.ts';
import { readRoomData, writeRoomData } from './data-packets.ts';
import { type PlayedSegment, SegmentLedger } from './segment-ledger.ts';

/**
 * Agents send faster than real time, so nothing has to be gathered against stalls; 60 ms are three frames, which the
 * mouth needs to know what comes. They send without waiting for anybody: what is not taken is lost. Five minutes are
 * 29 MB.
 */
export const AGENT_LIMITS: PassthroughLimits = { startMs: 60, mostWaitingMs: 300_000 };
/** What an agent is answered to: its calls and its segments. It interrupts, and begins to speak, some times in a turn. */
const ANSWERED = { atOnce: 50, perSecond: 10 };
/** A segment that stalls so long has lost its end (as LiveKit's own avatars have it). */
const STALLED_MS = 10_000;

export interface AgentVoiceOptions {
  /** Identities in the room. */
  readonly me: string;
  readonly agent: string;
  readonly voice: Pick<AudioOutStream, 'passthrough' | 'passthroughEnd' | 'cut'>;
  /** @returns false while the room cannot be reached. */
  send(bytes: Uint8Array): boolean;
  /** The agent interrupts what is heard. */
  interrupted(): void;
  refused(reason: PassthroughRefusal): void;
  readonly timers: Timers;
  readonly log: Pick<Logger, 'warn'>;
}

/** Says what an agent in the room sends, and tells it what was heard. */
export class AgentVoice {
  readonly #options: AgentVoiceOptions;
  readonly #stream = new AgentAudioStream();
  readonly #ledger = new SegmentLedger();
  readonly #calls: AgentRpc;
  readonly #refusals = new Set<PassthroughRefusal>();
  readonly #answered: TokenBucket;
  /** Number of the next chunk within its sequence. */
  #chunk = 0;
  #stalled: unknown = null;

  constructor(options: AgentVoiceOptions) {
    this.#options = options;
    const { me, agent, timers, log } = options;
    this.#answered = new TokenBucket(ANSWERED, timers.now());
    this.#calls = new AgentRpc({
      send: (data) => options.send(writeRoomData(data, me, agent)),
      clearBuffer: () => this.#clear(),
      timers,
      log,
    });
  }

  /** Data of the room. Only the agent's counts. */
  take(bytes: Uint8Array): void {
    const packet = readRoomData(bytes);
    if (packet === null || packet.from !== this.#options.agent) return;
    const { data } = packet;
    if ((data.type === 'call' || data.type === 'stream opened') && !this.#mayAnswer()) return;
    if (data.type === 'stream opened' && this.#ledger.isFull) return this.#refuse('full');
    if (data.type === 'stream opened' || data.type === 'stream chunk' || data.type === 'stream closed') {
      for (const speech of this.#stream.take(data)) this.#speak(speech);
      this.#watch();
    } else this.#calls.take(data);
  }

  /** An answer costs more than what it answers to: whatever comes faster is not heard. */
  #mayAnswer(): boolean {
    const now = this.#options.timers.now();
    if (!this.#answered.has(1, now)) return false;
    this.#answered.spend(1, now);
    return true;
  }

  /** What becomes of the agent's speech: it is heard, and it has been said or was cut. */
  reported(event: AudioOutEvent): void {
    if (event.type === 'passthrough.started' && this.#ledger.started()) this.#calls.playbackStarted();
    if (event.type !== 'passthrough.finished') return;
    const { interrupted, playedMs = 0 } = event;
    if (interrupted) this.#cut(playedMs);
    else this.#tell(this.#ledger.heard(playedMs));
  }

  /** The room is back. */
  reachable(): void {
    this.#calls.resend();
  }

  close(): void {
    this.#options.timers.clearTimeout(this.#stalled);
    this.#calls.close();
  }

  #speak(speech: AgentSpeech): void {
    const { voice } = this.#options;
    switch (speech.type) {
      case 'begin':
        this.#chunk = 0;
        return this.#ledger.begin();
      case 'audio': {
        const { pcm, sampleRate } = speech;
        const verdict = voice.passthrough(pcm, sampleRate, this.#chunk);
        if (verdict !== 'taken') return this.#refuse(verdict);
        this.#chunk += 1;
        return this.#ledger.queued((pcm.length / sampleRate) * 1_000);
      }
      case 'unusable':
        return this.#refuse('format');
      case 'end':
        voice.passthroughEnd();
        return this.#tell(this.#ledger.end());
    }
  }

  #clear(): void {
    if (this.#ledger.isEmpty) return;
    this.#options.interrupted();
    // What nobody has heard yet, the actors do not know.
    if (!this.#ledger.isEmpty) {
      this.#options.voice.cut();
      this.#cut(0);
    }
  }

  /** What still comes of the open stream is not wanted. */
  #cut(playedMs: number): void {
    const over = this.#ledger.cut(playedMs);
    this.#stream.drop();
    this.#options.voice.passthroughEnd();
    this.#tell(over);
  }

  #tell(over: readonly PlayedSegment[]): void {
    for (const { playedMs, interrupted } of over) this.#calls.playbackFinished(playedMs, interrupted);
  }

  #refuse(reason: PassthroughRefusal): void {
    if (this.#refusals.has(reason)) return;
    this.#refusals.add(reason);
    this.#options.refused(reason);
  }

  #watch(): void {
    const { timers } = this.#options;
    timers.clearTimeout(this.#stalled);
    if (!this.#stream.isOpen) return;
    this.#stalled = timers.setTimeout(() => {
      for (const speech of this.#stream.end()) this.#speak(speech);
    }, STALLED_MS);
  }
}
