import { concat } from '../../../testing/sounds.ts';
import { heardWords, samplesOf } from './spoken-numbers.ts';
import type { Serve } from './streaming-server.ts';

/** Servers that understand `spoken` numbers, in the wire formats that the services publish. */

/** Every second word is unclear. */
const scored = (words: readonly { readonly text: string }[]) =>
  words.map(({ text }, index) => ({ word: text, confidence: index % 2 === 0 ? 0.9 : 0.4 }));
const textOf = (words: readonly { readonly text: string }[]): string => words.map(({ text }) => text).join(' ');

/** Sound of a connection, and where the part that is not final yet begins. */
class Sound {
  readonly #pieces: Int16Array[] = [];
  from = 0;

  push(bytes: Buffer): void {
    this.#pieces.push(samplesOf(bytes));
  }

  get samples(): number {
    return this.#pieces.reduce((sum, { length }) => sum + length, 0);
  }

  words() {
    return heardWords(concat(...this.#pieces).slice(this.from), 16_000, this.from / 16);
  }
}

export const serveNova: Serve = (send) => {
  const sound = new Sound();
  const tell = (final: boolean): void => {
    const [start, end] = [sound.from / 16_000, sound.samples / 16_000];
    send({
      type: 'Results',
      channel_index: [0, 1],
      start,
      duration: end - start,
      is_final: final,
      speech_final: false,
      ...(final && { from_finalize: true }),
      channel: { alternatives: [{ transcript: textOf(sound.words()), confidence: 0.9, words: scored(sound.words()) }] },
      metadata: { request_id: 'r' },
    });
    if (final) sound.from = sound.samples;
  };
  return {
    audio(bytes) {
      sound.push(bytes);
      tell(false);
    },
    message({ type }) {
      if (type === 'Finalize') tell(true);
      if (type === 'CloseStream') send({ type: 'Metadata', duration: sound.samples / 16_000 });
    },
  };
};

export const serveFlux: Serve = (send) => {
  const sound = new Sound();
  let turn: 'none' | 'in progress' = 'none';
  let index = 0;
  send({ type: 'Connected', request_id: 'r', sequence_id: 0 });
  const tell = (event: string, more: object = {}): void =>
    send({
      type: 'TurnInfo',
      event,
      turn_index: index,
      audio_window_start: sound.from / 16_000,
      audio_window_end: sound.samples / 16_000,
      transcript: textOf(sound.words()),
      words: scored(sound.words()),
      end_of_turn_confidence: 0.1,
      languages: ['en'],
      ...more,
    });
  return {
    audio(bytes) {
      sound.push(bytes);
      if (turn === 'none' && sound.words().length > 0) {
        turn = 'in progress';
        tell('StartOfTurn');
      } else tell('Update');
    },
    message({ type }) {
      if (type !== 'ForceEndTurn' || turn === 'none') return;
      tell('EndOfTurn', { trigger: 'manual', end_of_turn_confidence: 0.2 });
      turn = 'none';
      index += 1;
      sound.from = sound.samples;
    },
  };
};

export const serveAssemblyAi: Serve = (send) => {
  const sound = new Sound();
  let order = 0;
  send({ type: 'Begin', id: 's', expires_at: 0 });
  const tell = (end: boolean, formatted: boolean): void => {
    const words = sound.words();
    if (words.length === 0) return;
    send({
      type: 'Turn',
      turn_order: order,
      turn_is_formatted: formatted,
      end_of_turn: end,
      // Before the end, the last word may still change.
      transcript: textOf(end ? words : words.slice(0, -1)),
      end_of_turn_confidence: 0.1,
      words: words.map(({ text, startMs, endMs }, index) => ({
        text,
        start: startMs,
        end: endMs,
        word_is_final: end,
        confidence: scored(words)[index]!.confidence,
      })),
    });
  };
  return {
    audio(bytes) {
      sound.push(bytes);
      tell(false, false);
    },
    message({ type }) {
      if (type === 'Terminate') send({ type: 'Termination', audio_duration_seconds: 1, session_duration_seconds: 1 });
      if (type !== 'ForceEndpoint') return;
      tell(true, false);
      tell(true, true);
      order += 1;
      sound.from = sound.samples;
    },
  };
};

export const serveOpenAiRealtime: Serve = (send) => {
  let pieces: Int16Array[] = [];
  let item = 0;
  let told = '';
  send({ type: 'session.created', session: { type: 'transcription' } });
  const words = (): string => textOf(heardWords(concat(...pieces), 24_000));
  const event = (name: string, more: object): void =>
    send({
      type: `conversation.item.input_audio_transcription.${name}`,
      item_id: `item-${item}`,
      content_index: 0,
      ...more,
    });
  return {
    message(message) {
      if (message.type === 'session.update') send({ type: 'session.updated', session: message['session'] });
      if (message.type === 'input_audio_buffer.append') {
        pieces.push(samplesOf(Buffer.from(String(message['audio']), 'base64')));
        const text = words();
        if (text !== told) event('delta', { delta: text.slice(told.length) });
        told = text;
      }
      if (message.type !== 'input_audio_buffer.commit') return;
      if (pieces.reduce((sum, { length }) => sum + length, 0) < 2_400)
        return send({
          type: 'error',
          error: { type: 'invalid_request_error', code: 'input_audio_buffer_commit_empty' },
        });
      send({ type: 'input_audio_buffer.committed', item_id: `item-${item}`, previous_item_id: null });
      event('completed', { transcript: words() });
      item += 1;
      pieces = [];
      told = '';
    },
  };
};
