import type { LlmEvent } from '../../ports.ts';
import type { AnswerEnd, AnswerReader } from './answer-reader.ts';
import { AnthropicReader } from './anthropic-reader.ts';
import { fromBedrock } from './bedrock-form.ts';
import { choiceInForeignForm, unwrapped } from './foreign-forms.ts';
import { isFrame, type Frame } from './frames.ts';
import { GeminiReader } from './gemini-reader.ts';
import { OpenAiReader } from './openai-reader.ts';
import type { WireForm } from './wire-form.ts';

const OF_ANTHROPIC = new Set([
  'message_start',
  'content_block_start',
  'content_block_delta',
  'message_delta',
  'message_stop',
]);

/**
 * Reads an answer in the form that it has. Gateways take requests in one format and pass on the answers of another one; each
 * of those was lost.
 */
export class AnyFormReader implements AnswerReader {
  readonly #own: WireForm;
  readonly #names: readonly string[];
  readonly #mayBeEmpty: boolean;
  #reader: AnswerReader;
  #form: WireForm | null = null;

  /** @param reader of the format that was asked in. @param names of the tools, as the model knows them. */
  constructor(own: WireForm, reader: AnswerReader, names: readonly string[], mayBeEmpty: boolean) {
    this.#own = own;
    this.#reader = reader;
    this.#names = names;
    this.#mayBeEmpty = mayBeEmpty;
  }

  /** The format of the answer, where it is another one than was asked in. */
  get foreign(): WireForm | null {
    return this.#form === this.#own ? null : this.#form;
  }

  get isComplete(): boolean {
    return this.#reader.isComplete;
  }

  get unread(): number {
    return this.#reader.unread;
  }

  take(frame: Frame): readonly LlmEvent[] | null {
    const bedrock = this.#form === null || this.#form === 'anthropic' ? fromBedrock(frame) : null;
    if (this.#form === null) {
      this.#form = bedrock === null ? this.#formOf(frame) : 'anthropic';
      if (this.foreign !== null) this.#reader = this.#readerOf(this.foreign);
    }
    return this.#reader.take(this.#form === 'anthropic' ? (bedrock ?? frame) : frame);
  }

  end(end: AnswerEnd): readonly LlmEvent[] {
    return this.#reader.end(end);
  }

  /** @returns null as long as it is not known. */
  #formOf(frame: Frame): WireForm | null {
    if (Array.isArray(frame['candidates'])) return 'gemini';
    if (OF_ANTHROPIC.has(String(frame['type'])) || (frame['type'] === 'message' && Array.isArray(frame['content'])))
      return 'anthropic';
    if (isFrame(unwrapped(frame)['choices']) || Array.isArray(unwrapped(frame)['choices'])) return 'openai';
    const isOllama = isFrame(frame['message']) && typeof frame['done'] === 'boolean';
    return isOllama || choiceInForeignForm(frame) !== undefined ? 'openai' : null;
  }

  #readerOf(form: WireForm): AnswerReader {
    const [names, mayBeEmpty] = [this.#names, this.#mayBeEmpty];
    if (form === 'openai') return new OpenAiReader(names, { named: false }, mayBeEmpty);
    // What comes back beside the calls of a turn has no place in requests of another format.
    if (form === 'anthropic') return new AnthropicReader(names, mayBeEmpty, () => {});
    return new GeminiReader(names, mayBeEmpty, () => {});
  }
}
