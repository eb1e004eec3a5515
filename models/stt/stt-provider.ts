import type { z } from 'zod';
import type { SpeechRecognizer } from '../ports.ts';
import type { LocalRecognizer } from '../sherpa/local-model.ts';
import type { Provider } from '../provider.ts';

/** Inputs of a provider besides its options. */
export interface SttTools {
  /** Folder of model files. */
  readonly modelsDir: string;
  /** Installed neural models that are fast enough on this machine, the default language first. */
  readonly localRecognizers: readonly LocalRecognizer[];
  /** When the process starts. That of a fallback starts on demand. */
  readonly start: 'at once' | 'on demand';
  /** Called for problems that do not end the recognizer. Never with content. */
  warn(message: string): void;
}

/** A recognizer that an operator can name. Its file exports one of these; `registry.ts` lists it. */
export interface SttProvider<Options extends z.ZodObject = z.ZodObject> extends Provider<Options> {
  /** `local`: needs no account and no network. */
  readonly where: 'local' | 'service';
  /** How the start names it, if it only stands in for a better recognizer. */
  readonly standIn?: string;
  /** ISO 639-1 codes that it can understand with any options. */
  readonly languages: readonly string[] | 'any';
  /** Does not connect. @throws Error when it cannot work with these options. */
  open(options: z.output<Options>, tools: SttTools): SpeechRecognizer | Promise<SpeechRecognizer>;
}
