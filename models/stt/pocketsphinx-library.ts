import { existsSync } from 'node:fs';
import { join } from 'node:path';
import koffi from 'koffi';

/**
 * Debian's libpocketsphinx through its C interface. Every call blocks and a bad model file aborts, so this file is
 * imported only by the recognition process, never by the server.
 */

/** One utterance at a time. */
export interface Decoder {
  start(): void;
  /** @param pcm 16 kHz mono. @throws when the library reports a failure. */
  process(pcm: Int16Array): void;
  /** Ends the utterance: the second and third search passes, about 70 ms after some seconds of speech. */
  end(): void;
  /** The words found so far. */
  text(): string;
}

/** @returns a maker of decoders; each takes about 100 MB and half a second. @throws when library or model is missing. */
export function loadPocketSphinx(modelDir: string): () => Decoder {
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
  const hypothesis = pocketsphinx.func('const char *ps_get_hyp(void *decoder, int32_t *score)');
  // The library writes pages about its search, words included, to standard error.
  sphinxbase.func('int err_set_logfile(const char *path)')('/dev/null');

  return () => {
    const argv = [
      'parley',
      '-hmm',
      join(modelDir, 'en-us'),
      '-lm',
      join(modelDir, 'en-us.lm.bin'),
      '-dict',
      join(modelDir, 'cmudict-en-us.dict'),
    ];
    const config: unknown = parse(null, definitions(), argv.length, argv, 1);
    const decoder: unknown = config === null ? null : init(config);
    if (decoder === null) throw new Error('PocketSphinx refused its model.');
    const check = (result: number, what: string) => {
      if (result < 0) throw new Error(`PocketSphinx failed to ${what}.`);
    };
    return {
      start: () => check(startUtterance(decoder), 'start an utterance'),
      process: (pcm) => check(processRaw(decoder, pcm, pcm.length, 0, 0), 'take sound'),
      end: () => check(endUtterance(decoder), 'end an utterance'),
      text: () => (hypothesis(decoder, null) as string | null) ?? '',
    };
  };
}
