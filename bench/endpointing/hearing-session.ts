import { SimulatedSession } from '../../actors/testing/simulated-session.ts';
import { WINDOW_MS } from '../../actors/vad/vad-window.ts';
import { RecentAudio } from '../../engine/audio-in/stt/recent-audio.ts';
import { SttGate } from '../../engine/audio-in/stt/stt-gate.ts';
import { audioLevelDb, toFloat } from '../../engine/audio-in/vad/audio-level.ts';
import { LoudPart } from '../../engine/audio-in/vad/loud-part.ts';
import { VadLanes, runVad } from '../../engine/audio-in/vad/vad-batch.ts';
import type { EndOfTurnModel, VadModel } from '../../models/ports.ts';
import { UtteranceReader } from '../../models/stt/incremental/utterance-reader.ts';
import { VAD_WINDOW_SAMPLES } from '../../models/vad/silero.ts';

/** From the last sample of a window to its verdict, ms: packets, decoding, and one run of the model. */
const HEARING_MS = 40;
/** What a reading of Whisper tiny and a verdict of smart-turn take on an idle core, ms (measured). */
const READING_MS = { least: 60, ofSecond: 41 };
const VERDICT_MS = 95;

export interface Models {
  readonly vad: VadModel;
  readonly endOfTurn: EndOfTurnModel | null;
  /** @param samples 16 kHz, -1…1. @returns the words. */
  readonly read: (samples: Float32Array) => Promise<string>;
}

/**
 * A session on a simulated clock that hears real sound with the real models: VAD, Whisper as it is used live, and the
 * end-of-turn model. Its persona is simulated. So a conversation of ten minutes takes one or two, and is the same each
 * time on any machine: what the models take is declared, not measured.
 */
export class HearingSession {
  readonly session: SimulatedSession;
  readonly #models: Models;
  readonly #gate = new SttGate();
  readonly #recent = new RecentAudio();
  readonly #lanes = new VadLanes();
  readonly #loudness = new LoudPart();
  readonly #reader: UtteranceReader;
  #utterance = 1;
  #wrote: 'nothing' | 'sound' = 'nothing';
  #heardMs = 0;
  /** What the models work on. Nothing else happens until they are done, then their declared time passes. */
  #working: Promise<void>[] = [];
  readonly #from: number;

  constructor(models: Models, options: ConstructorParameters<typeof SimulatedSession>[0] = {}) {
    this.#models = models;
    this.session = new SimulatedSession({ endOfTurnModelAvailable: models.endOfTurn !== null, ...options }).connect();
    this.session.mute().wait(WINDOW_MS * 2);
    this.#from = this.session.clock.now();
    const { clock } = this.session;
    const takes = <T>(ms: number, result: Promise<T>): Promise<T> => {
      const done = Promise.withResolvers<T>();
      this.#working.push(result.then((value) => void clock.setTimeout(() => done.resolve(value), ms)));
      return done.promise;
    };
    this.#reader = new UtteranceReader({
      read: (samples) =>
        takes(READING_MS.least + READING_MS.ofSecond * (samples.length / 16_000), models.read(samples)),
      partial: (_, text, __, place) =>
        this.session.dispatch({ type: 'stt.partial', text, ...(place !== undefined && { place }) }),
      final: (_, text, confidence) =>
        this.session.dispatch({
          type: 'stt.final',
          text,
          language: text === '' ? null : 'en',
          ...(confidence !== null && { confidence }),
        }),
      now: () => clock.now(),
    });
    const perform = this.session.engine.perform.bind(this.session.engine);
    this.session.engine.perform = (command) => {
      if (command.type === 'stt.finish') this.#finish();
      else if (command.type === 'stt.reset') this.#reset();
      else if (command.type === 'endOfTurn.predict' && models.endOfTurn !== null)
        void takes(VERDICT_MS, models.endOfTurn.predict(this.#recent.take(), new AbortController().signal)).then(
          (probability) => this.session.dispatch({ type: 'endOfTurn.predicted', probability }),
        );
      else perform(command);
    };
  }

  get now(): number {
    return this.session.clock.now();
  }

  /** @param pcm 16 kHz; passes at the speed of sound. */
  async hear(pcm: Int16Array): Promise<void> {
    for (let at = 0; at + VAD_WINDOW_SAMPLES <= pcm.length; at += VAD_WINDOW_SAMPLES) {
      this.#heardMs += WINDOW_MS;
      await this.#until(this.#from + this.#heardMs + HEARING_MS);
      this.#take(pcm.subarray(at, at + VAD_WINDOW_SAMPLES));
      await this.#settle();
    }
  }

  async silence(ms: number): Promise<void> {
    await this.hear(new Int16Array(Math.round(ms / WINDOW_MS) * VAD_WINDOW_SAMPLES));
  }

  #take(pcm: Int16Array): void {
    const raw = toFloat(pcm);
    const window = {
      levelDb: audioLevelDb(raw),
      loudMs: this.#loudness.of(raw),
      endsAt: this.#from + this.#heardMs,
      follows: this.#heardMs === WINDOW_MS ? ('pause' as const) : ('previous' as const),
    };
    const [probability = 0] = runVad(this.#models.vad, [
      { lanes: this.#lanes, window: { ...window, raw, filtered: null } },
    ]);
    const { levelDb, loudMs, endsAt } = window;
    this.session.dispatch({
      type: 'vad.window',
      probability,
      levelDb,
      endsAt,
      ...(loudMs !== undefined && { loudMs }),
    });
    this.#recent.push(pcm, endsAt);
    const pieces = this.#gate.push(pcm, { probability, levelDb, ...(loudMs !== undefined && { loudMs }) });
    for (const piece of pieces) {
      this.#reader.write(this.#utterance, piece, 'en');
      this.#wrote = 'sound';
    }
    if (pieces.length > 0) this.#reader.setVoice(this.#utterance, this.#gate.voice);
  }

  #finish(): void {
    this.#gate.close();
    if (this.#wrote === 'sound') this.#reader.finish(this.#utterance);
    else this.session.dispatch({ type: 'stt.final', text: '', language: null });
    this.#begin();
  }

  #reset(): void {
    this.#gate.close();
    this.#reader.drop(this.#utterance);
    this.#begin();
  }

  #begin(): void {
    this.#utterance += 1;
    this.#wrote = 'nothing';
  }

  /** In small steps: what a timer resolves is done before the next one. */
  async #until(at: number): Promise<void> {
    const STEP_MS = 8;
    while (this.now < at) {
      this.session.clock.advanceTo(Math.min(at, this.now + STEP_MS));
      await this.#settle();
    }
  }

  async #settle(): Promise<void> {
    while (this.#working.length > 0) await Promise.all(this.#working.splice(0));
    for (let i = 0; i < 6; i += 1) await Promise.resolve();
  }
}
