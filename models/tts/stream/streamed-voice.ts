import { estimateWords } from '../estimated-words.ts';
import { scaleLoudness } from '../loudness.ts';
import { PcmBytes } from '../pcm-bytes.ts';
import { ProviderError, type SynthesisChunk, type SynthesisRequest, type TimedUnit } from '../../ports.ts';
import { CharacterTimes } from '../character-times.ts';
import { speechLimits } from '../speech-limits.ts';
import { LetterPhonemes } from '../spelling/letter-phonemes.ts';
import { WordAlignment } from '../word-alignment.ts';
import { SocketPool } from './socket-pool.ts';
import type { SpeechPart, SpeechProtocol } from './speech-protocol.ts';

/** All protocols request this rate. */
export const SAMPLE_RATE = 24_000;
const NOTHING = new Int16Array(0);
/** How a connection may end so that another one can speak the sentence. */
const CONNECTION_CODES = new Set<ProviderError['code']>(['connect', 'timeout', 'server']);

/** A voice over WebSockets of one service, which stay open between sentences. */
export class StreamedVoice {
  readonly #protocol: SpeechProtocol;
  readonly #pool: SocketPool;

  constructor(protocol: SpeechProtocol) {
    this.#protocol = protocol;
    this.#pool = new SocketPool(protocol);
  }

  warm(request: Omit<SynthesisRequest, 'text'>): void {
    this.#pool.warm(request);
  }

  /**
   * Streams the audio of one sentence. If its connection dies before any audio was passed on, it is requested once more
   * on a new one. @throws ProviderError; NoSocketError when there is no WebSocket at the address.
   */
  async *synthesize(request: SynthesisRequest, signal: AbortSignal): AsyncGenerator<SynthesisChunk> {
    for (let isFresh = false; ; isFresh = true) {
      const progress = { isHeard: false };
      try {
        yield* this.#attempt(request, signal, isFresh, progress);
        return;
      } catch (error) {
        const mayRetry = error instanceof ProviderError && CONNECTION_CODES.has(error.code);
        if (isFresh || progress.isHeard || !mayRetry || signal.aborted) throw error;
      }
    }
  }

  async *#attempt(
    request: SynthesisRequest,
    signal: AbortSignal,
    isFresh: boolean,
    progress: { isHeard: boolean },
  ): AsyncGenerator<SynthesisChunk> {
    const { utterance, socket } = this.#pool.speak(request, speechLimits(request.text, 'message'), isFresh);
    const bytes = new PcmBytes();
    const timings = new Timings(request);
    const loudness = this.#protocol.loudness?.(request.tuning) ?? 1;
    let samples = 0;
    try {
      for await (const part of utterance.read(signal)) {
        const times = timings.read(part, samples / SAMPLE_RATE);
        const pcm = part.pcm === undefined ? NOTHING : bytes.push(part.pcm);
        scaleLoudness(pcm, loudness);
        samples += pcm.length;
        if (pcm.length === 0 && times.words === undefined && times.phonemes === undefined) continue;
        progress.isHeard ||= pcm.length > 0;
        yield { pcm, sampleRate: SAMPLE_RATE, ...times };
      }
    } catch (error) {
      // A failed handshake also fails the utterance. Only the error of the handshake says that there is no WebSocket.
      if (!socket.hasOpened && !signal.aborted) await socket.opened();
      throw error;
    }
    const pcm = bytes.rest();
    scaleLoudness(pcm, loudness);
    samples += pcm.length;
    yield { pcm, sampleRate: SAMPLE_RATE, ...timings.finish((samples * 1000) / SAMPLE_RATE) };
  }

  close(): void {
    this.#pool.close();
  }
}

/** Times of the text's words and phonemes, from the times that the service sends. */
class Timings {
  readonly #request: SynthesisRequest;
  readonly #letters: LetterPhonemes;
  #from: CharacterTimes | WordAlignment | null = null;

  constructor(request: SynthesisRequest) {
    this.#request = request;
    this.#letters = new LetterPhonemes(request.language);
  }

  /** @param audioSoFarS length of the audio before this part, s. */
  read(part: SpeechPart, audioSoFarS: number): Pick<SynthesisChunk, 'words' | 'phonemes'> {
    const { text, language } = this.#request;
    let words: TimedUnit[] | undefined;
    let phonemes = part.phonemes;
    if (part.characters !== undefined) {
      this.#from ??= new CharacterTimes(text, language);
      if (this.#from instanceof CharacterTimes) words = this.#from.read(part.characters, audioSoFarS * 1000);
    }
    const spoken = part.spokenCharacters ?? part.characters;
    if (spoken !== undefined) phonemes ??= this.#letters.read(spoken, audioSoFarS * 1000);
    if (part.words !== undefined) {
      this.#from ??= new WordAlignment(text, language);
      if (this.#from instanceof WordAlignment) words = this.#from.read(part.words);
    }
    return { ...(words !== undefined && { words }), ...(phonemes !== undefined && { phonemes }) };
  }

  finish(durationMs: number): Pick<SynthesisChunk, 'words' | 'phonemes'> {
    const { text, language } = this.#request;
    return {
      words: this.#from?.finish(durationMs) ?? estimateWords(text, language, durationMs),
      phonemes: this.#letters.finish(),
    };
  }
}
