import type { EndOfTurnModel, NoiseFilter, SpeechRecognizer } from '../../models/ports.ts';
import type { NoiseFilters } from '../../models/noise/open-noise-filters.ts';
import { Dictation } from './dictation.ts';
import type { Timers } from '../clock.ts';
import { Ear } from './ear.ts';
import type { SoundWindow } from './ear.ts';
import type { Heard, ToHearing } from './messages.ts';
import { RecentSound } from './recent-sound.ts';
import { toPcm16 } from './sound-level.ts';
import { SpeechGate } from './speech-gate.ts';
import { VoiceLanes } from './voice-activity-batch.ts';

/** What all sessions of the worker share. */
export interface SharedModels {
  /** 'unavailable': wanted, but it could not be loaded. */
  readonly noise: NoiseFilters | 'off' | 'unavailable';
  readonly recognizer: SpeechRecognizer;
  readonly endOfTurn: EndOfTurnModel | null;
  readonly timers: Timers;
  warn(message: string, error: unknown): void;
}

type OpenMessage = Extract<ToHearing, { type: 'open' }>;
type Tell = (event: DistributiveOmit<Heard, 'session'>) => void;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** One session inside the worker: its ear, its memory of the voice, its dictation. */
export class SessionHearing {
  readonly ear: Ear;
  readonly lanes = new VoiceLanes();
  readonly #models: SharedModels;
  readonly #tell: Tell;
  readonly #gate = new SpeechGate();
  readonly #dictation: Dictation;
  readonly #recent: RecentSound | null;
  readonly #closed = new AbortController();
  #enhancement: 'working' | 'missing' | 'reported';

  constructor(options: OpenMessage, models: SharedModels, tell: (event: Heard) => void) {
    this.#models = models;
    this.#tell = (event) => tell({ ...event, session: options.session } as Heard);
    this.#recent = models.endOfTurn === null ? null : new RecentSound();
    const filter = this.#createFilter();
    this.#enhancement = models.noise === 'off' || filter !== null ? 'working' : 'missing';
    this.ear = new Ear(filter, options.enhancementLevel, {
      audio: options.wantsAudio ? (pcm, at) => this.#tell({ type: 'audio', pcm, at }) : null,
      filterBroken: (error) => {
        models.warn('A noise filter broke.', error);
        this.#enhancement = 'missing';
        this.#reportMissingFilter(1);
      },
    });
    this.#dictation = new Dictation(models.recognizer, options.language, {
      partial: (text) => this.#tell({ type: 'partial', text }),
      final: (text, language) => this.#tell({ type: 'final', text, language }),
      failed: (message) => this.#tell({ type: 'failed', message }),
    }, models.timers);
    this.#reportMissingFilter(options.enhancementLevel);
  }

  /** Takes the verdict on a window and passes its sound on. */
  judged(window: SoundWindow, probability: number): void {
    this.#tell({ type: 'window', probability, levelDb: window.levelDb, endsAt: window.endsAt, loudMs: window.loudMs });
    const pcm = toPcm16(window.filtered ?? window.raw);
    this.#recent?.push(pcm);
    for (const piece of this.#gate.push(pcm, probability)) this.#dictation.write(piece);
  }

  tick(now: number): void {
    this.ear.tick(now);
  }

  finish(): void {
    this.#gate.close();
    this.#dictation.finish();
  }

  reset(): void {
    this.#gate.close();
    this.#dictation.reset();
  }

  askEndOfTurn(): void {
    const { endOfTurn } = this.#models;
    if (endOfTurn === null || this.#recent === null) return;
    endOfTurn.predict(this.#recent.take(), this.#closed.signal).then(
      (probability) => this.#tell({ type: 'endOfTurn', probability }),
      (error: unknown) => {
        if (!this.#closed.signal.aborted) this.#models.warn('The end-of-turn model failed.', error);
      },
    );
  }

  configure(options: { language?: string | null; enhancementLevel?: number }): void {
    if (options.language !== undefined) this.#dictation.setLanguage(options.language);
    if (options.enhancementLevel === undefined) return;
    this.ear.setStrength(options.enhancementLevel);
    this.#reportMissingFilter(options.enhancementLevel);
  }

  close(): void {
    this.#closed.abort();
    this.#dictation.close();
    this.ear.close();
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

  /** Once, and only to those who want the filter. */
  #reportMissingFilter(strength: number): void {
    if (this.#enhancement !== 'missing' || strength <= 0) return;
    this.#enhancement = 'reported';
    this.#tell({ type: 'enhancementUnavailable' });
  }
}
