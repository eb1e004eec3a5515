import type { LocalRecognizer } from '../../models/sherpa/local-model.ts';
import type { NoiseSettings } from '../../models/noise/registry.ts';
import type { RecognizerChoice } from '../../models/stt/registry.ts';
import type { ProviderErrorCode } from '../../models/ports.ts';
import type { AudioInEvent } from '../ports.ts';
import type { RelayedCall } from './stt/relayed-recognition.ts';
import type { PackedPackets } from './receive/packet-batch.ts';

/** Settings of the audio-in worker. Plain data, because it is copied to another thread. */
export interface AudioInWorkerData {
  readonly recognizers: readonly RecognizerChoice[];
  readonly keyTerms: readonly string[];
  readonly modelsDir: string;
  readonly localRecognizers: readonly LocalRecognizer[];
  readonly noise: NoiseSettings;
  /** Path of a smart-turn model. Null: none is used. */
  readonly endOfTurnModel: string | null;
}

export type TranscriptSource = 'here' | 'elsewhere' | 'elsewhere, from all';

export type ToAudioIn =
  | {
      readonly type: 'open';
      readonly session: number;
      readonly language: string | null;
      /** In addition to those of the deployment. */
      readonly keyTerms: readonly string[];
      /** Id of the recognizer that is asked first; null: the first of the deployment. */
      readonly preferred: string | null;
      readonly enhancementLevel: number;
      readonly wantsAudio: boolean;
      /** Where words come from. `from all`: sound that is no speech is wanted there, too. */
      readonly words: TranscriptSource;
    }
  | ({ readonly type: 'packets' } & PackedPackets)
  | { readonly type: 'finish' | 'reset' | 'askEndOfTurn' | 'close'; readonly session: number }
  | {
      readonly type: 'configure';
      readonly session: number;
      readonly language?: string | null;
      readonly enhancementLevel?: number;
    }
  | { readonly type: 'shutdown' };

/** What was heard in one session. `relayed`: what another recognizer than the worker's has to do. */
export interface AudioInReport {
  readonly session: number;
  readonly heard:
    | AudioInEvent
    | { readonly type: 'relayed'; readonly call: RelayedCall }
    | { readonly type: 'audio'; readonly pcm: Int16Array; readonly at: number };
}

export type FromAudioIn =
  /** The models are loaded. */
  | { readonly type: 'ready'; readonly languages: readonly string[] | 'any' }
  /** The recognizer keeps up from now on: its model is loaded, or cannot be. */
  | { readonly type: 'recognizing' }
  | { readonly type: 'warning'; readonly message: string; readonly detail: string }
  /** How long a recognizer took to its first words, or to a final. */
  | {
      readonly type: 'measured';
      readonly result: 'partial' | 'final';
      readonly provider: string;
      readonly ms: number;
    }
  | { readonly type: 'recognizerFailed'; readonly provider: string; readonly code: ProviderErrorCode }
  | { readonly type: 'heard'; readonly reports: readonly AudioInReport[] };
