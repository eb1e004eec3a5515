import { existsSync } from 'node:fs';
import { join } from 'node:path';
import koffi, { type KoffiFunc } from 'koffi';

/**
 * Debian's libpocketsphinx through its C interface. Every call blocks, and a bad model file aborts the process. So only
 * the recognition process imports this file.
 */

/** The words, and their score: for the same audio, more is better. */
export interface Hypothesis {
  readonly text: string;
  readonly score: number;
}

const REFUSED = 'PocketSphinx refused its model.';

/** One utterance at a time. */
export interface Decoder {
  start(): void;
  /** @param pcm 16 kHz mono. @throws when the library reports a failure. */
  process(pcm: Int16Array): void;
  /** Ends the utterance, with the second and third search pass: about 70 ms for some seconds of speech. */
  end(): void;
  /**
   * Decodes an utterance in one piece, on another thread, between `end` and `start`. This finds words better, because
   * the mean of the audio is known from the first window on.
   * @param pcm all audio of it, 16 kHz mono. @throws when the library reports a failure.
   */
  decodeWhole(pcm: Int16Array): Promise<void>;
  /** The words so far. */
  hypothesis(): Hypothesis;
  /** Frees its memory. It must not be used any more. */
  free(): void;
}

/** Each decoder takes about 85 MB, and half a second of a core. */
export interface DecoderMaker {
  /** @throws when the library refuses the model. */
  make(): Decoder;
  /** The same on another thread. */
  makeBeside(): Promise<Decoder>;
}

/** @throws when library or model is missing. */
export function loadPocketSphinx(modelDir: string): DecoderMaker {
  for (const file of ['en-us', 'en-us.lm.bin', 'cmudict-en-us.dict']) {
    if (!existsSync(join(modelDir, file))) throw new Error(`The recognition model ${join(modelDir, file)} is missing.`);
  }
  const sphinxbase = koffi.load('libsphinxbase.so.3');
  const pocketsphinx = koffi.load('libpocketsphinx.so.3');
  const definitions = pocketsphinx.func('void *ps_args()');
  const parse = sphinxbase.func(
    'void *cmd_ln_parse_r(void *inout, void *definitions, int32_t argc, char **argv, int32_t strict)',
  );
  const init = pocketsphinx.func('void *ps_init(void *config)');
  const startUtterance = pocketsphinx.func('int ps_start_utt(void *decoder)');
  const processRaw = pocketsphinx.func(
    'int ps_process_raw(void *decoder, int16_t *data, size_t samples, int noSearch, int fullUtterance)',
  );
  const endUtterance = pocketsphinx.func('int ps_end_utt(void *decoder)');
  const bestHypothesis = pocketsphinx.func('const char *ps_get_hyp(void *decoder, _Out_ int32_t *score)');
  // The library writes details of its search, with words, to standard error.
  sphinxbase.func('int err_set_logfile(const char *path)')('/dev/null');

  const free = pocketsphinx.func('int ps_free(void *decoder)');
  const argv = ['parley', '-hmm', join(modelDir, 'en-us'), '-lm', join(modelDir, 'en-us.lm.bin')];
  argv.push('-dict', join(modelDir, 'cmudict-en-us.dict'));
  const configure = (): unknown => {
    const config: unknown = parse(null, definitions(), argv.length, argv, 1);
    if (config === null) throw new Error(REFUSED);
    return config;
  };
  const decoderOf = (decoder: unknown): Decoder => {
    if (decoder === null) throw new Error(REFUSED);
    const check = (result: number, what: string) => {
      if (result < 0) throw new Error(`PocketSphinx failed to ${what}.`);
    };
    return {
      start: () => check(startUtterance(decoder), 'start an utterance'),
      process: (pcm) => check(processRaw(decoder, pcm, pcm.length, 0, 0), 'take sound'),
      end: () => check(endUtterance(decoder), 'end an utterance'),
      async decodeWhole(pcm) {
        check(startUtterance(decoder), 'start an utterance');
        check(await onAnotherThread(processRaw, decoder, pcm, pcm.length, 0, 1), 'take sound');
        check(await onAnotherThread(endUtterance, decoder), 'end an utterance');
      },
      hypothesis() {
        const score = [0];
        const text = (bestHypothesis(decoder, score) as string | null) ?? '';
        return { text, score: score[0] ?? 0 };
      },
      free: () => void free(decoder),
    };
  };
  return {
    make: () => decoderOf(init(configure())),
    makeBeside: async () => decoderOf(await onAnotherThread(init, configure())),
  };
}

// eslint-disable-next-line typescript/no-explicit-any -- koffi types its functions so
function onAnotherThread<T = number>(call: KoffiFunc<any>, ...args: unknown[]): Promise<T> {
  return new Promise((resolve, reject) =>
    call.async(...args, (error: Error | null, result: T) => (error === null ? resolve(result) : reject(error))),
  );
}
