import { readFileSync, writeFileSync } from 'node:fs';
import { ConversionError } from './conversion-error.ts';
import { readCTranslate2, type CTranslate2Model } from './ctranslate2.ts';
import { writeWhisperDecoder } from './whisper-decoder.ts';
import { writeWhisperEncoder } from './whisper-encoder.ts';
import { BANDS, TEXT_TOKENS, type WhisperSize } from './whisper-form.ts';
import { readWhisperVocabulary, type WhisperVocabulary } from './whisper-vocabulary.ts';

/** Of 20 ms: 30 s. */
const AUDIO_FRAMES = 1_500;
/** A vocabulary with at least so many tokens has languages in it. */
const MULTILINGUAL_TOKENS = 51_865;

export interface WhisperFiles {
  /** Made by CTranslate2: `model.bin` and `vocabulary.txt`. */
  readonly model: string;
  readonly vocabulary: string;
  /** Written, as sherpa-onnx takes them. */
  readonly encoder: string;
  readonly decoder: string;
  readonly tokens: string;
}

/**
 * Turns a Whisper of CTranslate2 (16-bit) into graphs of ONNX with weights of 8 bits. Takes 8 s of CPU and 0.5 GB for
 * the size "base". The same files give the same bytes. @throws ConversionError
 */
export function convertWhisper({ model, vocabulary, encoder, decoder, tokens }: WhisperFiles): void {
  const weights = readCTranslate2(readFileSync(model), 'WhisperSpec');
  const words = readWhisperVocabulary(readFileSync(vocabulary, 'utf8'));
  const size = sizeOf(weights);
  const metadata = metadataOf(size, words);
  writeFileSync(tokens, words.tokensFile, { mode: 0o600 });
  writeWhisperEncoder(weights, size, metadata, encoder);
  writeWhisperDecoder(weights, size, metadata, decoder);
}

function sizeOf(weights: CTranslate2Model): WhisperSize {
  const [tokens = 0, width = 0] = weights.shape('decoder/embeddings/weight');
  const part = (name: 'encoder' | 'decoder') => {
    const layer = new RegExp(`^${name}/layer_\\d+/ffn/linear_0/weight$`);
    return {
      layers: weights.names().filter((each) => layer.test(each)).length,
      heads: weights.number(`${name}/num_heads`),
    };
  };
  const size = { tokens, width, encoder: part('encoder'), decoder: part('decoder') };
  for (const { layers, heads } of [size.encoder, size.decoder])
    if (layers < 1 || heads < 1 || width % heads !== 0)
      throw new ConversionError(`A model of ${layers} layers with ${heads} heads of ${width} cannot be.`);
  return size;
}

/** As sherpa-onnx reads it. */
function metadataOf(size: WhisperSize, words: WhisperVocabulary): Record<string, string> {
  const isMultilingual = size.tokens >= MULTILINGUAL_TOKENS;
  const first = words.languages[0]?.token ?? words.startOfTranscript;
  const numbers = {
    n_mels: BANDS,
    n_audio_ctx: AUDIO_FRAMES,
    n_audio_state: size.width,
    n_audio_head: size.encoder.heads,
    n_audio_layer: size.encoder.layers,
    n_vocab: size.tokens,
    n_text_ctx: TEXT_TOKENS,
    n_text_state: size.width,
    n_text_head: size.decoder.heads,
    n_text_layer: size.decoder.layers,
    sot: words.startOfTranscript,
    sot_index: 0,
    eot: words.endOfText,
    blank_id: words.blank,
    is_multilingual: isMultilingual ? 1 : 0,
    no_speech: words.noSpeech,
    transcribe: words.transcribe,
    translate: words.translate,
    sot_prev: words.startOfPrevious,
    sot_lm: words.startOfLm,
    no_timestamps: words.noTimestamps,
  };
  return {
    model_type: 'whisper',
    version: '1',
    maintainer: 'parley',
    ...Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, String(value)])),
    sot_sequence: (isMultilingual
      ? [words.startOfTranscript, first, words.transcribe]
      : [words.startOfTranscript]
    ).join(','),
    all_language_tokens: words.languages.map(({ token }) => token).join(','),
    all_language_codes: words.languages.map(({ code }) => code).join(','),
    non_speech_tokens: '',
  };
}
