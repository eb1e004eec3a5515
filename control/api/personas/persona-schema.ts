import { z } from 'zod';
import { voiceDetectionOptionsSchema, voiceGenerationOptionsSchema } from '../../../actors/settings/voice-options.ts';
import { AVATAR_MODELS } from '../../catalogue/avatar-models.ts';
import { avatarResponse } from '../avatars/avatar-schema.ts';
import { knowledgeGroupResponse } from '../knowledge/knowledge-schema.ts';
import { jsonObject, languageOrInherit, timestamp, uuid } from '../../http/schemas.ts';
import { shareLinkResponse } from '../share-links/share-link-schema.ts';
import { toolResponse } from '../tools/tool-schema.ts';
import { voiceResponse } from '../voices/voice-schema.ts';
import { grading } from './grading-schema.ts';
import { variableDeclarations } from './persona-variables.ts';
import { widgetConfigSchema } from './widget-config.ts';

/** Longest system prompt and other free texts of a persona, in characters. */
const MAX_PROMPT_LENGTH = 100_000;

export const avatarModelField = z.enum(AVATAR_MODELS).nullable().describe('Null: the default of the avatar.');
export const llmIdField = z
  .string()
  .min(1)
  .max(128)
  .describe('Id of an LLM, or `CUSTOMER_CLIENT_V1` when the client thinks.');
export const promptField = z.string().max(MAX_PROMPT_LENGTH);

/** What saved and inline personas have in common. */
export const behaviorFields = {
  systemPrompt: promptField,
  skipGreeting: z.boolean(),
  uninterruptibleGreeting: z.boolean().describe('The user cannot cut the greeting short.'),
  initialMessage: z
    .string()
    .max(10_000)
    .nullable()
    .describe('Spoken verbatim as the first message. Without it the LLM greets.'),
  zeroDataRetention: z.boolean().describe('Nothing that is said is kept. Needs a voice and an LLM that can do that.'),
  voiceDetectionOptions: voiceDetectionOptionsSchema.nullable(),
  voiceGenerationOptions: voiceGenerationOptionsSchema(null).nullable(),
  languageCode: languageOrInherit,
  enableAudioPassthrough: z.boolean().describe('The client supplies the persona’s voice as audio.'),
  enableSessionReplay: z
    .boolean()
    .describe(
      'Whether sessions are recorded; true unless set. What a session says itself (`sessionOptions.sessionReplay`) wins.',
    ),
  avatarModel: avatarModelField,
  personality: promptField.nullable(),
  personaPreset: z
    .string()
    .max(255)
    .describe(
      'Name of the template that it was made from, empty without one. Kept, and shown with the persona and its sessions; it changes nothing else.',
    ),
  voiceSpeed: z.number().min(0.5).max(2).nullable(),
};

const directorNotes = z
  .object({
    presetStyle: z.enum(['happy', 'warm', 'playful', 'supportive', 'sad', 'angry', 'distressed']).optional(),
    customStylePrompt: z
      .string()
      .max(2000)
      .optional()
      .describe(
        'How the persona comes across, in your own words: given to the LLM, which chooses words and expressions by it.',
      ),
    expressivity: z.number().min(0).max(1).optional(),
  })
  .refine(
    (notes) => notes.presetStyle === undefined || notes.customStylePrompt === undefined,
    'presetStyle and customStylePrompt exclude each other',
  );

/** Fields of a persona that its sessions can also have for themselves. */
export const styleAndLength = {
  directorNotes: directorNotes.nullable(),
  maxSessionLengthSeconds: z.number().min(1).max(604_800),
};

export const mcpServerIds = z
  .array(uuid)
  .max(10)
  .describe('MCP servers whose tools the persona uses. Replaces all attached servers.');

const writable = {
  ...behaviorFields,
  name: z.string().trim().min(1).max(255),
  description: z.string().max(10_000).nullable().describe('For your own use; changes nothing.'),
  avatarId: uuid.nullable(),
  voiceId: uuid.nullable(),
  llmId: llmIdField.nullable(),
  brainType: llmIdField.describe('Old name of `llmId`, which wins when both are there.').meta({ deprecated: true }),
  toolIds: z.array(uuid).max(100).describe('Replaces all attached tools.'),
  tools: z
    .array(z.union([uuid, z.looseObject({ id: uuid })]))
    .max(100)
    .describe('Like `toolIds`.'),
  mcpServerIds,
  directorNotes: styleAndLength.directorNotes.describe(
    'How the persona acts, with avatar models that can. What a session says itself wins.',
  ),
  maxSessionLengthSeconds: styleAndLength.maxSessionLengthSeconds
    .nullable()
    .describe('Longest session. What a session says itself wins, and the operator can set a limit for all.'),
  widgetConfig: widgetConfigSchema.describe('Merged key by key with what is stored.'),
  variables: variableDeclarations.describe('What is filled into its texts where they say `{{name}}`.'),
  grading: grading
    .nullable()
    .describe(
      'What its LLM is asked of each conversation when it is over. Null, or with zero data retention: nothing.',
    ),
  publishingRequiresTests: z
    .boolean()
    .describe('Whether a draft can be published only after all tests of the persona have passed with it.'),
  brain: z.object({ systemPrompt: promptField.nullish(), personality: promptField.nullish() }),
};

/** What a version of a persona keeps: all of it but where its widget may be shown, which no roll-back may change. */
export const personaContent = z
  .object(writable)
  .omit({
    widgetConfig: true,
    publishingRequiresTests: true,
    brain: true,
    brainType: true,
    tools: true,
    voiceSpeed: true,
  })
  .meta({ id: 'PersonaContent' });
export type PersonaContent = z.infer<typeof personaContent>;

const example = {
  name: 'Concierge',
  systemPrompt: 'You are the concierge of a small hotel. Answer in one or two sentences.',
  skipGreeting: false,
};

export const createPersona = z
  .object(writable)
  .partial()
  .meta({ id: 'CreatePersona', examples: [example] });
/** Only present keys change; unknown ones are refused. */
export const updatePersona = z
  .strictObject(writable)
  .partial()
  .meta({ id: 'UpdatePersona', examples: [{ description: 'Answers at night' }] });
export type PersonaInput = z.infer<typeof createPersona>;

export const personaResponse = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    personaPreset: z.string(),
    avatar: avatarResponse.nullable(),
    avatarId: z.string().nullable(),
    avatarModel: z.string().nullable(),
    voice: voiceResponse.nullable(),
    voiceId: z.string().nullable(),
    voiceSpeed: z.number().nullable(),
    llmId: z.string().nullable(),
    brain: z.object({ personality: z.string().nullable(), systemPrompt: z.string().nullable() }),
    systemPrompt: z.string(),
    tools: z.array(toolResponse),
    toolIds: z.array(z.string()),
    mcpServerIds: z.array(z.string()),
    knowledge: z.array(knowledgeGroupResponse),
    shareLinks: z.array(shareLinkResponse).nullable(),
    primaryShareLink: z.object({ token: z.string(), enabled: z.boolean() }).nullable(),
    enableAudioPassthrough: z.boolean(),
    enableSessionReplay: z.boolean(),
    skipGreeting: z.boolean(),
    uninterruptibleGreeting: z.boolean(),
    initialMessage: z.string().nullable(),
    zeroDataRetention: z.boolean(),
    voiceDetectionOptions: jsonObject.nullable(),
    voiceGenerationOptions: jsonObject.nullable(),
    languageCode: z.string(),
    directorNotes: jsonObject.nullable(),
    maxSessionLengthSeconds: z.number().nullable(),
    widgetConfig: jsonObject,
    version: z.number().int().describe('Number of the version that is live. A change publishes the next one.'),
    variables: variableDeclarations,
    grading: grading.nullable(),
    publishingRequiresTests: z.boolean(),
    isDefaultPersona: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Persona' });
export type PersonaResponse = z.infer<typeof personaResponse>;

export const personaSummary = personaResponse
  .pick({
    id: true,
    name: true,
    personaPreset: true,
    avatar: true,
    voice: true,
    voiceSpeed: true,
    isDefaultPersona: true,
    languageCode: true,
    createdAt: true,
    updatedAt: true,
  })
  .extend({
    description: z.string(),
    missing: z
      .array(z.enum(['avatar', 'voice', 'llm']))
      .describe('What it uses that was deleted. It cannot talk until it has another one.'),
  })
  .meta({ id: 'PersonaSummary' });
