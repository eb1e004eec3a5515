import { z } from 'zod';

/** Of addresses everywhere. */
const MAX_URL_LENGTH = 4_096;
/** What an agent is told at its start, bytes of JSON. */
const MAX_BYTES = 64 * 1024;

const object = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES, 'is longer than 64 KiB');

/** An agent of ElevenLabs as the brain of a session, as the API takes it. */
export const agentSettings = z
  .object({
    signedUrl: z
      .string()
      .max(MAX_URL_LENGTH)
      .nullable()
      .describe('From `GET /v1/convai/conversation/get-signed-url` of ElevenLabs: `wss://…`. It is kept encrypted.'),
    agentId: z
      .string()
      .regex(/^[\w-]{1,128}$/)
      .nullable()
      .describe('Of the agent. Without `signedUrl` it must be a public one.'),
    dynamicVariables: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
    conversationConfigOverride: object.nullable().describe('Only what the agent allows to be overridden.'),
    userId: z.string().max(1_024).nullable(),
    customLlmExtraBody: object.nullable(),
  })
  .partial()
  .refine(({ signedUrl, agentId }) => (signedUrl ?? agentId ?? null) !== null, 'needs signedUrl or agentId')
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= 2 * MAX_BYTES, 'is longer than 128 KiB')
  .meta({ id: 'ElevenLabsAgentSettings' });
export type AgentSettings = z.infer<typeof agentSettings>;

const PUBLIC_AGENTS = 'wss://api.elevenlabs.io/v1/convai/conversation';

/** @returns where the agent is talked with. With a signed URL it is a secret. */
export function agentAddress({ signedUrl, agentId }: AgentSettings): string {
  return signedUrl ?? `${PUBLIC_AGENTS}?agent_id=${encodeURIComponent(agentId ?? '')}`;
}

/** @returns the first message of a conversation. */
export function initiation(settings: AgentSettings): Readonly<Record<string, unknown>> {
  const { dynamicVariables, conversationConfigOverride, userId, customLlmExtraBody } = settings;
  return {
    type: 'conversation_initiation_client_data',
    ...(conversationConfigOverride != null && { conversation_config_override: conversationConfigOverride }),
    ...(customLlmExtraBody != null && { custom_llm_extra_body: customLlmExtraBody }),
    ...(dynamicVariables != null && { dynamic_variables: dynamicVariables }),
    ...(userId != null && { user_id: userId }),
    source_info: { source: 'parley' },
  };
}
