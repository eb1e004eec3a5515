import { z } from 'zod';

/**
 * What a Gemini Live server sends (BidiGenerateContentServerMessage), as far as it is used. Fields of other shapes are an
 * error: what comes later could not be trusted. https://ai.google.dev/api/live
 */
const transcription = z.object({ text: z.string().default('') });
const part = z.object({
  text: z.string().optional(),
  inlineData: z.object({ mimeType: z.string().default(''), data: z.string() }).optional(),
});
const functionCall = z.object({
  id: z.string().default(''),
  name: z.string(),
  args: z.record(z.string(), z.unknown()).default({}),
});

const serverMessage = z.object({
  setupComplete: z.looseObject({}).optional(),
  serverContent: z
    .object({
      modelTurn: z.object({ parts: z.array(part).default([]) }),
      inputTranscription: transcription,
      outputTranscription: transcription,
      interrupted: z.boolean(),
      generationComplete: z.boolean(),
      turnComplete: z.boolean(),
    })
    .partial()
    .optional(),
  toolCall: z.object({ functionCalls: z.array(functionCall).default([]) }).optional(),
  toolCallCancellation: z.object({ ids: z.array(z.string()).default([]) }).optional(),
  goAway: z.looseObject({}).optional(),
  /** Read tolerantly: what it costs is no reason to end a conversation. */
  usageMetadata: z.unknown().optional(),
  sessionResumptionUpdate: z.object({ newHandle: z.string().optional(), resumable: z.boolean().optional() }).optional(),
});
export type GeminiMessage = z.infer<typeof serverMessage>;
export type GeminiContent = NonNullable<GeminiMessage['serverContent']>;

/** @throws SyntaxError when it is no JSON, ZodError when it is no message. */
export function readGeminiMessage(text: string): GeminiMessage {
  return serverMessage.parse(JSON.parse(text));
}
