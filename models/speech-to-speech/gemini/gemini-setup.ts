import type { ClientEvent } from '../client-events.ts';

/** What a `session.update` of a speech model's session says, as `client-events.ts` writes it. */
interface SessionUpdate {
  readonly instructions: string;
  readonly max_output_tokens?: number;
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[];
  readonly audio?: { readonly output?: { readonly voice?: string } };
}

export interface SetupOptions {
  readonly model: string;
  readonly voice: string;
}

/** @returns the first message of a connection. Parley says when the user speaks, and stops the voice itself. */
export function setupOf(event: ClientEvent, { model, voice }: SetupOptions): Readonly<Record<string, unknown>> {
  const { instructions, tools, max_output_tokens: most } = event['session'] as SessionUpdate;
  return {
    model: model.startsWith('models/') ? model : `models/${model}`,
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
      ...(most !== undefined && { maxOutputTokens: most }),
    },
    systemInstruction: { parts: [{ text: instructions }] },
    ...(tools.length > 0 && { tools: [{ functionDeclarations: tools.map(declarationOf) }] }),
    realtimeInputConfig: { automaticActivityDetection: { disabled: true }, activityHandling: 'NO_INTERRUPTION' },
    inputAudioTranscription: {},
    outputAudioTranscription: {},
    contextWindowCompression: { slidingWindow: {} },
  };
}

function declarationOf({ name, description, parameters }: SessionUpdate['tools'][number]) {
  return { name, description, parametersJsonSchema: parameters };
}
