import type { EndOfTurnModel, NoiseFilter, SpeechRecognizer } from '../../models/ports.ts';
import type { NoiseFilters } from '../../models/noise/noise-provider.ts';
import type { Recognition } from './stt/recognition.ts';
import { RecognitionSession } from './stt/recognition-session.ts';
import { RelayedRecognition, type RelayedCall } from './stt/relayed-recognition.ts';
import type { Timers } from '../../runtime/clock.ts';
import { UserAudio } from './receive/user-audio.ts';
import type { AudioWindow } from './receive/user-audio.ts';
import type { AudioInReport, ToAudioIn } from './messages.ts';
import { RecentAudio } from './stt/recent-audio.ts';
import { toPcm16 } from './vad/audio-level.ts';
import { SteadyNoise } from './stt/steady-noise.ts';
import { SttGate } from './stt/stt-gate.ts';
import { VadLanes } from './vad/vad-batch.ts';
import { VadQueue, type DueWindow } from './vad/vad-queue.ts';

/** Models that all sessions of the worker share. */
export interface SharedModels {
  /** 'unavailable': it is configured, but could not be loaded. */
  readonly noise: NoiseFilters | 'off' | 'unavailable';
  readonly recognizer: SpeechRecognizer;
  readonly keyTerms: readonly string[];
  readonly endOfTurn: EndOfTurnModel | null;
  readonly timers: Timers;
  warn(message: string, error: unknown): void;
}

type OpenMessage = Extract<ToAudioIn, { type: 'open' }>;
type Report = (heard: AudioInReport['heard']) => void;

/** One session inside the worker: its jitter buffer and filter, its VAD state, and its recognition session. */
export class SessionAudioIn {
  readonly userAudio: UserAudio;
  readonly lanes = new VadLanes();
  readonly #queue = new VadQueue();
  readonly #models: SharedModels;
  readonly #tell: Report;
  readonly #gate = new SttGate();
  readonly #noise = new SteadyNoise();
  /** Which sound recognition gets: the same for a whole utterance. */
  #lane: 'raw' | 'filtered' = 'raw';
  readonly #recognition: Recognition;
  /** Whether recognition gets only what may be speech. */
  readonly #hears: 'speech' | 'all';
  readonly #recent: RecentAudio | null;
  readonly #closed = new AbortController();
  #enhancement: 'working' | 'missing' | 'reported';

  constructor(options: OpenMessage, models: SharedModels, tell: Report) {
    this.#models = models;
    this.#tell = tell;
    this.#recent = models.endOfTurn === null ? null : new RecentAudio();
    const filter = this.#createFilter();
    this.#enhancement = models.noise === 'off' || filter !== null ? 'working' : 'missing';
    this.userAudio = new UserAudio(filter, options.enhancementLevel, {
      audio: options.wantsAudio ? (pcm, at) => this.#tell({ type: 'audio', pcm, at }) : null,
      filterBroken: (error) => {
        models.warn('A noise filter broke.', error);
        this.#enhancement = 'missing';
        this.#reportMissingFilter(1);
      },
    });
    this.#hears = options.words === 'elsewhere, from all' ? 'all' : 'speech';
    const relayed = (call: RelayedCall): void => this.#tell({ type: 'relayed', call });
    this.#recognition = options.words === 'here' ? this.#recognize(options) : new RelayedRecognition(relayed);
    this.#reportMissingFilter(options.enhancementLevel);
    if (options.words === 'here') this.#reportMissingLanguage(options.language);
  }

  #recognize({ language, keyTerms, preferred }: OpenMessage): RecognitionSession {
    const models = this.#models;
    return new RecognitionSession(
      models.recognizer,
      { language, keyTerms: [...keyTerms, ...models.keyTerms], preferred },
      this.#tell,
      models.timers,
    );
  }

  /** The next window that the VAD's model has to judge; null: none. */
  nextForVad(): DueWindow | null {
    this.#queue.push(this.userAudio.takeWindows());
    return this.#queue.next((quiet) => this.takeResult(quiet, 0));
  }

  judged(due: DueWindow, probability: number): void {
    this.#queue.judged(due, probability);
    if (due.result === 'wanted') this.takeResult(due.window, probability);
  }

  /** Reports the speech probability of a window, and passes its audio to recognition. */
  takeResult(window: AudioWindow, probability: number): void {
    const { levelDb, endsAt, loudMs } = window;
    this.#tell({ type: 'vad.window', probability, levelDb, endsAt, ...(loudMs !== undefined && { loudMs }) });
    this.#noise.hear({ probability, levelDb });
    if (!this.#gate.isOpen) this.#lane = this.#noise.isLoud ? 'filtered' : 'raw';
    const pcm = toPcm16(this.#lane === 'raw' ? window.raw : (window.filtered ?? window.raw));
    this.#recent?.push(pcm, endsAt);
    if (this.#hears === 'all') return this.#recognition.write(pcm);
    const pieces = this.#gate.push(pcm, { probability, levelDb, ...(loudMs !== undefined && { loudMs }) });
    for (const piece of pieces) this.#recognition.write(piece);
    if (pieces.length > 0) this.#recognition.setVoice(this.#gate.voice);
  }

  tick(now: number): void {
    this.userAudio.tick(now);
  }

  finish(): void {
    this.#gate.close();
    this.#recognition.finish();
  }

  reset(): void {
    this.#gate.close();
    this.#recognition.reset();
  }

  /** The voice has stopped, perhaps because no more sound comes: browsers send nothing of a silence. */
  askEndOfTurn(): void {
    // Nobody says then when it goes on, where all sound is passed on.
    if (this.#hears === 'speech') this.#recognition.setVoice('off');
    const { endOfTurn } = this.#models;
    if (endOfTurn === null || this.#recent === null) return;
    endOfTurn.predict(this.#recent.take(), this.#closed.signal).then(
      (probability) => this.#tell({ type: 'endOfTurn.predicted', probability }),
      (error: unknown) => {
        if (!this.#closed.signal.aborted) this.#models.warn('The end-of-turn model failed.', error);
      },
    );
  }

  configure(options: { language?: string | null; enhancementLevel?: number }): void {
    if (options.language !== undefined) {
      this.#recognition.setLanguage(options.language);
      if (this.#recognition instanceof RecognitionSession) this.#reportMissingLanguage(options.language);
    }
    if (options.enhancementLevel === undefined) return;
    this.userAudio.setStrength(options.enhancementLevel);
    this.#reportMissingFilter(options.enhancementLevel);
  }

  close(): void {
    this.#closed.abort();
    this.#recognition.close();
    this.userAudio.close();
  }

  #createFilter(): NoiseFilter | null {
    const { noise, warn } = this.#models;
    if (noise === 'off' || noise === 'unavailable') return null;
    try {
      return noise.createFilter();
    } catch (error) {
      warn('No noise filter could be made for a session.', error);
      return null;
    }
  }

  #reportMissingLanguage(language: string | null): void {
    const { languages } = this.#models.recognizer;
    if (language === null || languages === 'any' || languages.includes(language)) return;
    this.#tell({ type: 'stt.languageUnavailable', language });
  }

  /** Reports it once, and only if the session wants the filter. */
  #reportMissingFilter(strength: number): void {
    if (this.#enhancement !== 'missing' || strength <= 0) return;
    this.#enhancement = 'reported';
    this.#tell({ type: 'enhancement.unavailable' });
  }
}
