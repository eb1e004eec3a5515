import { z } from 'zod';

/**
 * What an agent of ElevenLabs sends, as far as it is used. Fields of other shapes are an error: what comes later could not be
 * trusted. https://elevenlabs.io/docs/agents-platform/api-reference/agents-platform/websocket
 */
const id = z.union([z.number(), z.string()]).transform(Number).catch(0);
/** Ten minutes of fast speech are 15,000 letters. */
const text = z.string().max(64 * 1024);
const messages = [
  z.object({
    type: z.literal('conversation_initiation_metadata'),
    conversation_initiation_metadata_event: z.object({
      agent_output_audio_format: z.string().default('pcm_16000'),
      user_input_audio_format: z.string().default('pcm_16000'),
    }),
  }),
  z.object({ type: z.literal('ping'), ping_event: z.object({ event_id: id }) }),
  z.object({
    type: z.literal('audio'),
    audio_event: z.object({
      audio_base_64: z.string(),
      event_id: id,
    }),
  }),
  z.object({ type: z.literal('user_transcript'), user_transcription_event: z.object({ user_transcript: text }) }),
  z.object({
    type: z.literal('tentative_user_transcript'),
    tentative_user_transcription_event: z.object({ user_transcript: text }),
  }),
  z.object({ type: z.literal('agent_response'), agent_response_event: z.object({ agent_response: text }) }),
  z.object({ type: z.literal('agent_response_complete') }),
  z.object({
    type: z.literal('agent_response_correction'),
    agent_response_correction_event: z.object({ corrected_agent_response: text }),
  }),
  z.object({ type: z.literal('interruption'), interruption_event: z.object({ event_id: id }) }),
  z.object({
    type: z.literal('client_tool_call'),
    client_tool_call: z.object({
      tool_name: z.string().max(256),
      tool_call_id: z.string().max(256),
      parameters: z.record(z.string(), z.unknown()).nullish(),
    }),
  }),
  z.object({
    type: z.literal('error'),
    error_event: z.object({ error_type: z.string().nullish(), code: z.number().nullish() }).partial(),
  }),
] as const;

const serverMessage = z.discriminatedUnion('type', messages);
export type AgentMessage = z.infer<typeof serverMessage>;
const KNOWN: ReadonlySet<string> = new Set(messages.map(({ shape }) => shape.type.value));

/** @returns null for events that nobody here needs. @throws SyntaxError when it is no JSON, ZodError when it is no event. */
export function readAgentMessage(json: string): AgentMessage | null {
  const value: unknown = JSON.parse(json);
  const { type } = z.object({ type: z.string() }).parse(value);
  return KNOWN.has(type) ? serverMessage.parse(value) : null;
}
