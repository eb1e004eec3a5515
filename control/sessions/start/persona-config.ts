import { z } from 'zod';
import type { AgentSettings } from '../../../engine/providers.ts';
import type { MeetingConfig } from '../../../actors/session-config.ts';
import {
  behaviorFields,
  avatarModelField,
  llmIdField,
  mcpServerIds,
  styleAndLength,
} from '../../api/personas/persona-schema.ts';
import { type VariableValues, variableValues } from '../../api/personas/persona-variables.ts';
import { versionShares } from '../../api/personas/version-shares-schema.ts';
import { jsonObject, jsonWithin, uuid } from '../../http/schemas.ts';
import { inlineTool } from '../../api/tools/inline-tools.ts';
import { environment, realtimeField, type WantedRoom } from './room-environment.ts';
import { sessionOptions } from './session-options.ts';

/** Largest metadata object of a session, bytes of JSON. */
const METADATA_LIMIT = 16_384;

/** Fields that can also be set for one session of a saved persona. */
const perSession = {
  ...styleAndLength,
  languageCode: behaviorFields.languageCode,
  metadata: jsonWithin(METADATA_LIMIT),
  avatarModel: avatarModelField,
  sessionOptions,
  enableSessionReplay: behaviorFields.enableSessionReplay,
  enableAudioPassthrough: z.boolean(),
};

/** A saved persona. Everything else but the fields above is ignored. */
export const statefulPersona = z
  .object({ ...perSession, id: z.string().max(128) })
  .partial()
  .extend({
    personaId: z.string().min(1).max(128),
    version: z
      .union([z.number().int().min(1).max(999_999_999), z.literal('draft')])
      .optional()
      .describe('A version of the persona, or `draft`. Without it: what is live.'),
    versions: versionShares.optional(),
    variableValues: variableValues.optional(),
  })
  .refine(
    ({ version, versions }) => version === undefined || versions === undefined,
    'version and versions exclude each other',
  )
  .meta({ id: 'SavedPersonaConfig', examples: [{ personaId: '0b0cfd4b-9a4d-4a5b-8d1c-2f1f3a7f6c55' }] });

/** A persona that exists for one session. */
export const ephemeralPersona = z
  .object({
    ...behaviorFields,
    ...perSession,
    name: z.string().min(1).max(255),
    voiceId: uuid,
    llmId: llmIdField,
    brainType: llmIdField,
    tools: z.array(inlineTool).max(100),
    toolIds: z.array(uuid).max(100),
    mcpServerIds,
  })
  .partial()
  .extend({ avatarId: uuid })
  .meta({
    id: 'InlinePersonaConfig',
    examples: [
      {
        name: 'Concierge',
        avatarId: '5f0a1ad2-55a0-4f0c-9f0a-6f4c3ad6d3a5',
        systemPrompt: 'You are the concierge of a small hotel.',
      },
    ],
  });

export type StatefulPersona = z.infer<typeof statefulPersona>;
export type EphemeralPersona = z.infer<typeof ephemeralPersona>;
export type PersonaConfig =
  | { readonly type: 'stateful'; readonly persona: StatefulPersona }
  | { readonly type: 'ephemeral'; readonly persona: EphemeralPersona };

/**
 * A saved persona by its id, or the whole persona inline. `personaId` (or `id` in older clients) distinguishes them, so
 * that mistakes are reported for the intended form.
 */
export const personaConfig = jsonObject
  .meta({
    anyOf: [
      { $ref: '#/components/schemas/SavedPersonaConfigInput' },
      { $ref: '#/components/schemas/InlinePersonaConfigInput' },
    ],
  })
  .transform((value, context): PersonaConfig => {
    if (Object.keys(value).length === 0) {
      context.addIssue({ code: 'custom', message: 'must not be empty' });
      return z.NEVER;
    }
    const personaId = value.personaId ?? value.id;
    const checked =
      personaId === undefined || personaId === null
        ? ephemeralPersona.safeParse(value)
        : statefulPersona.safeParse({ ...value, personaId });
    if (!checked.success) {
      for (const issue of checked.error.issues) context.addIssue({ ...issue });
      return z.NEVER;
    }
    return 'personaId' in checked.data
      ? { type: 'stateful', persona: checked.data }
      : { type: 'ephemeral', persona: checked.data as EphemeralPersona };
  });

const common = {
  clientLabel: z.string().max(128).optional().describe('Shown beside the session in lists and analytics.'),
  sessionOptions: sessionOptions.optional(),
  environment: environment.optional(),
  clientMetadata: jsonWithin(METADATA_LIMIT).optional(),
};

export const createSessionToken = z
  .object({
    personaConfig,
    ...common,
    expiresIn: z
      .number()
      .int()
      .min(60)
      .max(86_400)
      .default(3600)
      .describe('Seconds until the token can no longer start a session.'),
    widgetConfig: jsonWithin(METADATA_LIMIT).optional(),
  })
  .meta({
    id: 'CreateSessionToken',
    examples: [{ personaConfig: { personaId: '0b0cfd4b-9a4d-4a5b-8d1c-2f1f3a7f6c55' }, clientLabel: 'web-shop' }],
  });

/** With an API key the persona is in the body. */
export const startWithKey = z
  .object({ personaConfig, ...common, voiceDetection: sessionOptions.shape.voiceDetection.optional() })
  .meta({ id: 'StartSession' });

/** A session token decides nearly everything. Fields that are not listed are ignored. */
export const startWithToken = z
  .object({
    sessionOptions: sessionOptions
      .pick({ voiceDetection: true, showAIAvatarDisclosure: true })
      .describe('`showAIAvatarDisclosure: true` shows the label; `false` does not take it away.')
      .optional(),
    voiceDetection: sessionOptions.shape.voiceDetection.optional(),
    clientMetadata: jsonWithin(METADATA_LIMIT).optional(),
    environment: z.object({ realtime: realtimeField }).partial().optional(),
  })
  .meta({ id: 'StartSessionWithToken' });

/** What a session token stands for, as stored. */
export interface SessionRequest {
  readonly personaConfig: PersonaConfig;
  readonly sessionOptions: z.infer<typeof sessionOptions>;
  readonly clientLabel: string | null;
  readonly clientMetadata: Readonly<Record<string, unknown>> | null;
  /**
   * A link or a widget asked, and its visitor sent these values. Its own values may be older than the persona, so that what is no
   * longer declared is left out. Absent: neither has values.
   */
  readonly visitorValues?: VariableValues;
  /** The persona goes into this room. Absent: clients come to it. The token is a secret. */
  readonly room?: WantedRoom;
  /** An agent of ElevenLabs is the brain. Its signed URL is a secret. */
  readonly agent?: AgentSettings;
  /** The client is one of OpenAI's Realtime interface. Absent: clients use WebRTC. */
  readonly realtime?: { readonly behavior: 'of the client' | 'fixed' };
  /** Only the service itself asks for it, to join a meeting; no field of a request leads here. Absent: none. */
  readonly meeting?: MeetingConfig;
}
