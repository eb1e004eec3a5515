import type { EngineOf } from '../packages/model-package.ts';
import type { VoiceEngine, WholeUtteranceEngine } from './sherpa-onnx.ts';

/** How a model is run; plain data, for other threads and processes. */
export interface LocalModel<Engine> {
  /** Id of its package. */
  readonly id: string;
  readonly folder: string;
  readonly engine: Engine;
  readonly provider: string;
  readonly threads: number;
}

type WholeUtteranceModel = LocalModel<WholeUtteranceEngine>;

/** What understands one language on this machine. */
export type LocalRecognizer = {
  /** ISO 639-1. */
  readonly language: string;
} & (
  | { readonly streaming: LocalModel<EngineOf<'zipformer'>>; readonly finalPass: WholeUtteranceModel | null }
  /** No words while somebody speaks. */
  | { readonly streaming: null; readonly finalPass: WholeUtteranceModel }
);

/** @returns the model that makes a recognizer what it is. */
export function mainModel({
  streaming,
  finalPass,
}: LocalRecognizer): LocalModel<EngineOf<'zipformer'> | WholeUtteranceEngine> {
  return streaming ?? finalPass;
}

/** One voice of a package. */
export interface LocalVoice {
  /** The provider's own name for it: the package and its voice. */
  readonly name: string;
  readonly model: LocalModel<VoiceEngine>;
  readonly speaker: number;
  /** How it pronounces, as espeak-ng names it; null: as its model says. */
  readonly lang: string | null;
  /** ISO 639-1 codes. */
  readonly languages: readonly string[];
  readonly displayName: string;
  readonly gender: 'male' | 'female' | 'neutral';
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** What is here, and what the machine is fast enough for. */
export interface LocalModels {
  /** One a language, the default one first. */
  readonly recognizers: readonly LocalRecognizer[];
  /** The preferred ones first. */
  readonly voices: readonly LocalVoice[];
  /** By id: CPU time for a second of sound, s. Absent: not measured. */
  readonly speeds: Readonly<Record<string, number>>;
}
