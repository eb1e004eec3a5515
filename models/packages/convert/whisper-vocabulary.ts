import { ConversionError } from './conversion-error.ts';

export interface WhisperVocabulary {
  /** The content of `tokens.txt`. */
  readonly tokensFile: string;
  readonly endOfText: number;
  readonly startOfTranscript: number;
  readonly translate: number;
  readonly transcribe: number;
  readonly startOfPrevious: number;
  readonly startOfLm: number;
  readonly noSpeech: number;
  readonly noTimestamps: number;
  /** A space. */
  readonly blank: number;
  readonly languages: readonly { readonly code: string; readonly token: number }[];
}

/** @param content of a `vocabulary.txt`, a token a line. @throws ConversionError when it is not Whisper's. */
export function readWhisperVocabulary(content: string): WhisperVocabulary {
  const lines = content.split('\n');
  const numberOf = (...names: readonly string[]): number => {
    // Tokens may contain line breaks: of two the last one is the one with a meaning.
    const found = names.map((name) => lines.lastIndexOf(name)).find((number) => number >= 0);
    if (found === undefined) throw new ConversionError(`The vocabulary has no ${names.join(' or ')}.`);
    return found;
  };
  const endOfText = numberOf('<|endoftext|>');
  const startOfTranscript = numberOf('<|startoftranscript|>');
  const translate = numberOf('<|translate|>');
  const languages = lines
    .map((line, token) => ({ code: /^<\|([a-z]{2,3})\|>$/.exec(line)?.[1] ?? '', token }))
    .filter(({ code, token }) => code !== '' && token > startOfTranscript && token < translate);
  return {
    tokensFile: tokensFile(lines.slice(0, endOfText)),
    endOfText,
    startOfTranscript,
    translate,
    transcribe: numberOf('<|transcribe|>'),
    startOfPrevious: numberOf('<|startofprev|>'),
    startOfLm: numberOf('<|startoflm|>'),
    noSpeech: numberOf('<|nocaptions|>', '<|nospeech|>'),
    noTimestamps: numberOf('<|notimestamps|>'),
    blank: numberOf('Ġ'),
    languages,
  };
}

/** A line a token: its bytes in Base64, and its number. */
function tokensFile(tokens: readonly string[]): string {
  const bytes = bytesByLetter();
  const line = (token: string, number: number): string => {
    const raw = [...token].map((letter) => {
      const byte = bytes.get(letter);
      if (byte === undefined) throw new ConversionError(`The vocabulary has the unknown letter "${letter}".`);
      return byte;
    });
    return `${Buffer.from(raw).toString('base64')} ${number}\n`;
  };
  return tokens.map(line).join('');
}

/** Byte-level BPE writes each byte as a letter that can be seen: those that cannot, as the letters from U+0100 on. */
function bytesByLetter(): Map<string, number> {
  const letters = new Map<string, number>();
  let hidden = 0;
  for (let byte = 0; byte < 256; byte++) {
    const isVisible = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    letters.set(String.fromCodePoint(isVisible ? byte : 256 + hidden++), byte);
  }
  return letters;
}
