import type { PassthroughRefusal } from '../../actors/events.ts';
import type { MeteredUse, ProviderUse, SpeechSynthesizer, SynthesisRequest, VoiceTuning } from '../../models/ports.ts';
import type { AudioOutEvent, AudioOutHandlers, AudioOutStream, PassthroughLimits } from '../ports.ts';
import { FRAME_SAMPLES, SAMPLES_PER_MS } from '../media/audio-format.ts';
import { guardedHandlers, type AudioOutLog } from './guarded-handlers.ts';
import { CUT_FADE_SAMPLES, DUCKED_GAIN, DUCK_RAMP_MS, fadeOut, Gain, UNDUCK_RAMP_MS } from './queue/gain.ts';
import { FecControl } from './encode/fec-control.ts';
import { OpusEncoder } from './encode/opus-encoder.ts';
import type { Timers } from '../../runtime/clock.ts';
import type { PacedHandle, PacedStream, Pacer } from './pace/pacer.ts';
import { PassthroughInput } from './passthrough/passthrough-input.ts';
import { PlaybackQueue, type Buffering, type PlaybackItem, type PlaybackMark } from './queue/playback-queue.ts';
import { maySynthesizeNext } from './tts/synthesis-lookahead.ts';
import { PreparedSpeech } from './tts/prepared-speech.ts';
import { Segment } from './tts/segment.ts';
import { silencePacket } from './encode/silence-packet.ts';
import { runSynthesis, type SynthesisHandlers } from './tts/synthesis-run.ts';

/** One frame is enough to start; a voice slower than real time gathers 100 ms before it goes on. */
const SEGMENT_BUFFERING: Buffering = { startSamples: FRAME_SAMPLES, resumeSamples: 100 * SAMPLES_PER_MS };
/** More sentences than this in the queue mean that something upstream has lost its way. */
const MAX_SEGMENTS = 500;
/** Characters of one segment; a sentence has about a hundred. */
const MAX_TEXT_LENGTH = 5_000;
/** After speech the encoder itself encodes silence for so long, so that its memory fades out with the listener's. */
const SETTLING_FRAMES = 5;

export interface SessionAudioOutOptions {
  readonly sessionId: string;
  readonly synthesizer: SpeechSynthesizer;
  readonly voiceId: string;
  readonly tuning: VoiceTuning;
  readonly takesPassthrough: boolean;
  readonly passthroughLimits?: PassthroughLimits | undefined;
  readonly handlers: AudioOutHandlers;
  readonly pacer: Pacer;
  readonly timers: Timers;
  readonly log: AudioOutLog;
  onClose(): void;
}

/** The voice of one session: sentences and client-made speech in, Opus packets out, ducked and cut on command. */
export class SessionAudioOut implements AudioOutStream, PacedStream {
  readonly #options: SessionAudioOutOptions;
  readonly #handlers: AudioOutHandlers;
  readonly #playback = new PlaybackQueue();
  readonly #gain = new Gain();
  readonly #passthrough: PassthroughInput;
  readonly #segments = new Map<PlaybackItem, Segment>();
  #tuning: VoiceTuning;
  readonly #fecControl = new FecControl();
  #encoder: OpusEncoder | null = null;
  #paced: PacedHandle | null = null;
  #life: 'new' | 'sending' | 'closed' = 'new';
  /** Frames of silence still to be encoded after speech. */
  #settling = 0;
  /** What is probably said next. */
  #prepared: PreparedSpeech | null = null;
  /** Faded end of what was cut, until its frame is made. */
  #tail: Int16Array | null = null;
  /** Whether the last frame had sound: the next one then comes in its time anyway. */
  #sounding = false;

  constructor(options: SessionAudioOutOptions) {
    this.#options = options;
    this.#handlers = guardedHandlers(options.handlers, options.sessionId, options.log);
    this.#tuning = options.tuning;
    this.#passthrough = new PassthroughInput(this.#playback, options.timers, this.#handlers, options.passthroughLimits);
  }

  start(): void {
    if (this.#life !== 'new') return;
    this.#life = 'sending';
    // Opened now rather than with the first audio, which would wait a millisecond or two for it.
    this.#encoder = new OpusEncoder();
    this.#paced = this.#options.pacer.start(this);
  }

  say(segment: Parameters<AudioOutStream['say']>[0]): void {
    if (this.#life === 'closed') return;
    if (this.#segments.size >= MAX_SEGMENTS || segment.text.length > MAX_TEXT_LENGTH) {
      this.#report({ type: 'speech.failed', segmentId: segment.segmentId, message: 'There is too much to say.' });
      return;
    }
    const item = this.#playback.add(segment.segmentId, SEGMENT_BUFFERING, Math.max(0, segment.pauseMs));
    this.#segments.set(item, new Segment(segment, item, this.#handlers));
    this.#synthesizeAhead();
  }

  prepare({ text, language }: { text: string; language: string }): void {
    const { synthesizer, timers } = this.#options;
    // A service is paid for each text, also for those that nobody hears.
    if (
      this.#life !== 'sending' ||
      synthesizer.family !== 'local' ||
      synthesizer.saysOnce ||
      text.length > MAX_TEXT_LENGTH
    )
      return;
    this.#forgetPrepared();
    this.#prepared = new PreparedSpeech(synthesizer, this.#request(text, language, true), timers);
  }

  duck(): void {
    this.#gain.rampTo(DUCKED_GAIN, DUCK_RAMP_MS);
  }

  unduck(): void {
    this.#gain.rampTo(1, UNDUCK_RAMP_MS);
  }

  cut(): void {
    if (this.#life === 'closed') return;
    this.#forgetPrepared();
    const playing = this.#playback.current;
    const tail = new Int16Array(FRAME_SAMPLES);
    const { items, tailSamples } = this.#playback.cut(tail.subarray(0, CUT_FADE_SAMPLES));
    if (tailSamples > 0) {
      fadeOut(tail.subarray(0, tailSamples));
      this.#gain.apply(tail);
      this.#tail = tail;
      this.#paced?.sendNow();
    }
    // What is said next is meant to be heard.
    this.#gain.reset();
    const segment = playing ? this.#segments.get(playing) : undefined;
    for (const item of items) this.#drop(item);
    this.#handlers.mouthStopped(this.#options.timers.now());
    const playedMs = segment ? segment.item.sentSamples / SAMPLES_PER_MS : 0;
    this.#report({ type: 'speech.cut', segmentId: segment?.id ?? null, playedMs });
  }

  configure(tuning: VoiceTuning): void {
    this.#tuning = tuning;
  }

  audioLost(share: number): void {
    this.#fecControl.reported(share, this.#options.timers.now());
  }

  passthrough(pcm: Int16Array, sampleRate: number, sequence: number): 'taken' | PassthroughRefusal {
    if (!this.#options.takesPassthrough || this.#life !== 'sending') return 'disabled';
    const taken = this.#passthrough.chunk(pcm, sampleRate, sequence);
    this.#startAtOnce();
    return taken;
  }

  passthroughEnd(): void {
    if (!this.#options.takesPassthrough || this.#life !== 'sending') return;
    this.#passthrough.end();
    this.#startAtOnce();
  }

  close(): void {
    if (this.#life === 'closed') return;
    this.#life = 'closed';
    this.#forgetPrepared();
    this.#paced?.stop();
    for (const segment of this.#segments.values()) segment.close();
    this.#segments.clear();
    this.#passthrough.close();
    this.#encoder?.close();
    this.#options.onClose();
  }

  frame(at: number): void {
    try {
      this.#makeFrame(at);
    } catch (error) {
      this.#options.log.warn({ sessionId: this.#options.sessionId, err: error }, 'An audio frame could not be made.');
    }
  }

  skipped(ms: number): void {
    const current = this.#playback.current;
    if (current && current.state === 'playing') this.#mouthOf(current)?.skipped(ms, this.#paced!.nextAt);
  }

  #makeFrame(at: number): void {
    const tail = this.#tail;
    this.#tail = null;
    const pcm = tail ?? new Int16Array(FRAME_SAMPLES);
    const { silent, marks } =
      tail || this.#playback.isEmpty ? { silent: tail === null, marks: [] } : this.#playback.read(pcm);
    if (tail === null && !silent) this.#gain.apply(pcm);
    this.#sounding = !silent;
    this.#send(pcm, silent, at);
    for (const mark of marks) this.#marked(mark, at);
    if (this.#playback.current) this.#passthrough.sent(this.#playback.current);
    // Also between marks: what is heard makes room for what is next.
    if (!silent || marks.length > 0) this.#synthesizeAhead();
  }

  #send(pcm: Int16Array, silent: boolean, at: number): void {
    if (!silent) this.#settling = SETTLING_FRAMES;
    else if (this.#settling > 0) this.#settling -= 1;
    const resting = silent && this.#settling === 0;
    this.#chooseEncoder(resting);
    const data = resting ? silencePacket() : this.#encoder!.encode(pcm);
    this.#handlers.frame({ data, at });
    this.#handlers.audio?.(silent ? null : pcm, at);
  }

  /**
   * A new encoder begins with a small step in the sound: where packets get lost that is nothing, else it waits for
   * silence.
   */
  #chooseEncoder(resting: boolean): void {
    const wanted = this.#fecControl.wanted(this.#options.timers.now());
    if (this.#encoder!.fec === wanted || (wanted === 'plain' && !resting)) return;
    this.#encoder!.close();
    this.#encoder = new OpusEncoder(wanted);
  }

  #marked(mark: PlaybackMark, frameAt: number): void {
    const { item } = mark;
    const segment = this.#segments.get(item);
    switch (mark.type) {
      case 'sounds':
        this.#mouthOf(item)?.soundsAt(frameAt + mark.offset / SAMPLES_PER_MS, mark.position / SAMPLES_PER_MS);
        if (!segment) this.#passthrough.sounds();
        if (mark.position > 0) return this.#resumed(segment, mark.position / SAMPLES_PER_MS);
        return this.#report(
          segment ? { type: 'speech.started', segmentId: segment.id } : { type: 'passthrough.started' },
        );
      case 'ranDry':
        this.#mouthOf(item)?.ranDry(frameAt);
        if (!segment) this.#passthrough.ranDry();
        return;
      case 'ended':
        return segment ? this.#ended(segment) : this.#passthroughEnded(item, false);
    }
  }

  /** A sentence that a voice of its own says is short, and its words keep their times. */
  #resumed(segment: Segment | undefined, positionMs: number): void {
    if (segment?.spoken) this.#report({ type: 'speech.resumed', segmentId: segment.id, positionMs });
  }

  #ended(segment: Segment): void {
    // A sentence without a sound ("…") still starts and finishes.
    const { failure, id: segmentId } = segment;
    if (segment.item.sentSamples === 0 && failure === null) this.#report({ type: 'speech.started', segmentId });
    this.#segments.delete(segment.item);
    segment.close();
    if (failure === null) this.#report({ type: 'speech.finished', segmentId });
    else this.#report({ type: 'speech.failed', segmentId, message: failure });
  }

  #report(event: AudioOutEvent): void {
    this.#handlers.report(event);
  }

  #passthroughEnded(item: PlaybackItem, interrupted: boolean): void {
    this.#passthrough.forget(item, interrupted);
    const playedMs = item.sentSamples / SAMPLES_PER_MS;
    if (playedMs > 0) this.#report({ type: 'passthrough.finished', interrupted, playedMs });
  }

  #drop(item: PlaybackItem): void {
    const segment = this.#segments.get(item);
    if (!segment) return this.#passthroughEnded(item, true);
    this.#segments.delete(item);
    segment.close();
  }

  #mouthOf(item: PlaybackItem) {
    return this.#segments.get(item)?.mouth ?? this.#passthrough.sequenceOf(item)?.mouth;
  }

  #synthesizeAhead(): void {
    // Where one sentence ends shows only with all of its sound: the next one begins there.
    const { saysOnce = false } = this.#options.synthesizer;
    let unsettled = false;
    let unheardMs = 0;
    for (const segment of this.#segments.values()) {
      if (segment.state === 'queued') {
        if (!maySynthesizeNext({ unsettled, unheardMs })) return;
        this.#synthesize(segment, unheardMs === 0);
      }
      const { supply, state } = segment.item;
      if (supply === 'arriving' && (state === 'waiting' || saysOnce)) unsettled = true;
      unheardMs += segment.item.queue.length / SAMPLES_PER_MS;
    }
  }

  #synthesize(segment: Segment, isWaitedFor: boolean): void {
    const { synthesizer, timers } = this.#options;
    const request = {
      ...this.#request(segment.text, segment.language, isWaitedFor),
      segmentId: segment.id,
      ...(segment.spoken && { spoken: true as const }),
    };
    const handlers = this.#handlersOf(segment);
    segment.state = 'asked';
    const prepared = this.#prepared;
    this.#prepared = null;
    if (prepared?.is(request) === true) segment.stop = prepared.say(handlers);
    else {
      prepared?.drop();
      segment.stop = runSynthesis(synthesizer, request, timers, handlers);
    }
  }

  #request(text: string, language: string, isWaitedFor: boolean): SynthesisRequest {
    const used = (use: ProviderUse): void => this.#report({ type: 'provider.used', service: 'tts', ...use });
    const metered = (use: MeteredUse): void => this.#report({ type: 'provider.metered', service: 'tts', ...use });
    return { text, voice: this.#options.voiceId, language, tuning: this.#tuning, isWaitedFor, used, metered };
  }

  #handlersOf(segment: Segment): SynthesisHandlers {
    return {
      chunk: (chunk) => {
        segment.take(chunk);
        this.#startAtOnce();
        // After the packet: looking for the mouth of 100 ms of sound takes longer than sending its first 20.
        segment.shapeMouth();
        this.#synthesizeAhead();
      },
      ended: () => {
        segment.complete();
        this.#startAtOnce();
        this.#synthesizeAhead();
      },
      failed: (message, cause) => {
        const { log, sessionId, synthesizer } = this.#options;
        log.warn({ sessionId, provider: synthesizer.name, err: cause }, 'A sentence could not be spoken.');
        segment.fail(message);
        this.#synthesizeAhead();
      },
    };
  }

  #forgetPrepared(): void {
    this.#prepared?.drop();
    this.#prepared = null;
  }

  /** The first audio after silence does not wait for the clock. */
  #startAtOnce(): void {
    if (!this.#sounding && this.#paced && this.#playback.hasAudio) this.#paced.sendNow();
  }
}
