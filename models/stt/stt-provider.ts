import type { z } from 'zod';
import type { SpeechRecognizer } from '../ports.ts';
import type { LocalRecognizer } from '../sherpa/local-model.ts';
import type { Provider } from '../provider.ts';

/** What a provider gets besides its options. */
export interface SttTools {
  /** Folder of model files. */
  readonly modelsDir: string;
  /** Neural models that are here and that the machine is fast enough for, the default language first. */
  readonly localRecognizers: readonly LocalRecognizer[];
  /** When a process of its own is started: that of a recognizer behind others only when they fail. */
  readonly start: 'at once' | 'on demand';
  /** Told of what does not end a recognizer but should be known. Never content. */
  warn(message: string): void;
}

/** A recognizer that an operator can name. Its file exports one of these; `registry.ts` lists it. */
export interface SttProvider<Options extends z.ZodObject = z.ZodObject> extends Provider<Options> {
  /** `local`: needs no account and no network. */
  readonly where: 'local' | 'service';
  /** What it is called where the start says that it only stands in for a better one. Absent: it does not. */
  readonly standIn?: string;
  /** ISO 639-1 codes that it can understand, whatever its options. */
  readonly languages: readonly string[] | 'any';
  /** Does not connect. @throws Error when it cannot work with these options. */
  open(options: z.output<Options>, tools: SttTools): SpeechRecognizer | Promise<SpeechRecognizer>;
}
