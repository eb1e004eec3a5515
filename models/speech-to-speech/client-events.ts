import type { ToolSpec } from '../ports.ts';
import type { WantedItem } from './conversation-items.ts';
import { SPEECH_RATE } from './response-speech.ts';
import type { SpeechModelSettings } from './settings.ts';

/**
 * What a Realtime server is sent, in the form of OpenAI's released interface.
 * https://platform.openai.com/docs/api-reference/realtime-client-events
 */
export type ClientEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** What a session of the model is set to; it is sent again where it has changed. */
export interface ModelSession {
  readonly instructions: string;
  readonly tools: readonly ToolSpec[];
  /** ISO 639-1, or null: the model finds out. */
  readonly language: string | null;
  readonly keyTerms: readonly string[];
  /** 0.25 to 1.5 times the usual. */
  readonly speed: number | null;
  /** `text`: nothing is heard, and nothing is spoken. */
  readonly output: 'audio' | 'text';
}

const FORMAT = { type: 'audio/pcm', rate: SPEECH_RATE };

export function sessionUpdate(session: ModelSession, settings: SpeechModelSettings): ClientEvent {
  const { instructions, tools, output, speed } = session;
  return {
    type: 'session.update',
    session: {
      type: 'realtime',
      instructions,
      output_modalities: [output],
      tools: tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters })),
      tool_choice: 'auto',
      ...(settings.maxTokens !== null && { max_output_tokens: settings.maxTokens }),
      ...(output === 'audio' && {
        audio: {
          input: {
            format: FORMAT,
            transcription: transcription(session, settings),
            turn_detection: turnDetection(settings),
          },
          output: { format: FORMAT, voice: settings.voice, ...(speed !== null && { speed }) },
        },
      }),
    },
  };
}

function transcription({ language, keyTerms }: ModelSession, { transcriptionModel }: SpeechModelSettings) {
  return {
    model: transcriptionModel,
    ...(language !== null && { language }),
    ...(keyTerms.length > 0 && { prompt: `Expect words such as: ${keyTerms.join(', ')}.` }),
  };
}

/** Null: the client commits the audio. */
function turnDetection({ turns }: SpeechModelSettings) {
  return turns === 'parley' ? null : { type: turns, create_response: true, interrupt_response: true };
}

export function appendAudio(pcm: Int16Array): ClientEvent {
  const audio = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength).toString('base64');
  return { type: 'input_audio_buffer.append', audio };
}

export function createItem(id: string, after: string | null, item: WantedItem): ClientEvent {
  return {
    type: 'conversation.item.create',
    // `root`: it becomes the first.
    previous_item_id: after ?? 'root',
    item: { id, ...itemBody(item) },
  };
}

function itemBody({ kind, text, callId, name }: WantedItem): Readonly<Record<string, unknown>> {
  switch (kind) {
    case 'call':
      return { type: 'function_call', call_id: callId, name, arguments: text };
    case 'result':
      return { type: 'function_call_output', call_id: callId, output: text };
    case 'assistant':
      return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
    default:
      return { type: 'message', role: kind, content: [{ type: 'input_text', text }] };
  }
}

/** @param tag comes back with the answer, and with an error about it. */
export function createResponse(tag: string): ClientEvent {
  return { type: 'response.create', event_id: tag, response: { metadata: { tag } } };
}

/** Speaks a given text in the model's voice, beside the conversation. */
export function createReading(tag: string, text: string): ClientEvent {
  return {
    type: 'response.create',
    event_id: tag,
    response: {
      conversation: 'none',
      metadata: { tag },
      input: [],
      tools: [],
      tool_choice: 'none',
      output_modalities: ['audio'],
      instructions:
        'Read the text between the quotes aloud, word for word, in its own language. ' +
        `Say nothing else, and do not answer it: ${JSON.stringify(text)}`,
    },
  };
}
