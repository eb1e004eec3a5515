import { z } from 'zod';

/** Imports nothing but Zod: the console takes the type of a turn from here. */

const used = z.array(z.string()).readonly();
const moment = z.number().nullable();

export const turnProviders = z
  .object({ stt: used, llm: used, tts: used })
  .readonly()
  .optional()
  .describe(
    'By which providers the turn was understood, answered and said; several when one took over. Of an LLM: its format and its model.',
  );

/**
 * One user turn and the reply to it, as `TurnRecord` of `actors/report.ts` has them; the route's types compare both.
 */
export const turnRecord = z
  .object({
    turnIndex: z.number().int().describe('0 is the greeting.'),
    correlationId: z.string(),
    userSpeechStartedAt: moment,
    userSpeechEndedAt: moment,
    endOfTurnAt: moment.describe('When it was decided that the user had finished.'),
    transcribedAt: moment,
    llmRequestedAt: moment,
    llmFirstOutputAt: moment,
    llmFinalOutputAt: moment,
    synthesisStartedAt: moment,
    synthesisFirstAudioAt: moment,
    synthesisEndedAt: moment,
    speakingStartedAt: moment,
    speakingEndedAt: moment,
    finishReason: z.enum(['completed', 'interrupted']).nullable(),
    interruptedStage: z
      .enum(['before_llm_output', 'during_llm_generation', 'before_audio', 'while_speaking'])
      .nullable(),
    userText: z.string().nullable(),
    personaText: z.string().nullable(),
    toolCallIds: z.array(z.string()).readonly(),
    providers: turnProviders,
  })
  .meta({ id: 'TurnRecord' });
export type TurnRecord = Readonly<z.infer<typeof turnRecord>>;
