import { z } from 'zod';

/** The `llmFormat` of models that hear and speak themselves. */
export const SPEECH_FORMAT = 'advanced_voice';

/** Who says when the user's turn is over: Parley, or the model by the length of the pause or by what was said. */
export const TURNS = ['parley', 'server_vad', 'semantic_vad'] as const;

/** Settings of a speech-to-speech model that other LLMs do not have; as the API takes them. */
export const speechSettings = z
  .object({
    protocol: z
      .enum(['openai', 'gemini'])
      .default('openai')
      .describe('`openai`: Realtime. `gemini`: Gemini Live; then `turns` must be `parley`.'),
    voice: z
      .string()
      .regex(/^[\w-]{1,64}$/)
      .default('marin')
      .describe(
        'Voice of the model: `marin`, `cedar`, `alloy`, `ash`, `ballad`, `coral`, `echo`, `sage`, `shimmer`, `verse`.',
      ),
    turns: z
      .enum(TURNS)
      .default('parley')
      .describe(
        'Who says when the user has finished: `parley`, with its own end of turn and its own judgment of interruptions, or the model (`server_vad`, `semantic_vad`).',
      ),
    transcriptionModel: z
      .string()
      .regex(/^[\w.-]{1,64}$/)
      .default('gpt-4o-mini-transcribe')
      .describe('Which model writes down what the user says. Gemini does that itself.'),
  })
  .meta({ id: 'SpeechSettings' });

/** As they are sent: what is left out is the default. */
export const speechInput = speechSettings
  .partial()
  .refine(
    ({ protocol, turns = 'parley' }) => protocol !== 'gemini' || turns === 'parley',
    'turns must be parley with Gemini Live, which does not tell when it hears a voice',
  );
export type SpeechSettings = z.infer<typeof speechSettings>;

export interface SpeechModelSettings extends SpeechSettings {
  readonly maxTokens: number | null;
}
