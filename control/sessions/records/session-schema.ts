import { z } from 'zod';
import { costDetails, costTotal } from '../../costs/cost-schema.ts';
import { pageQuery } from '../../http/paging.ts';
import { jsonObject, timestamp, uuid } from '../../http/schemas.ts';
import { sessionFilter } from './session-filter.ts';
import { providerUsage } from './provider-usage-schema.ts';
import { turnRecord } from './turn-schema.ts';

export const listSessions = z.object({
  ...pageQuery(),
  ...sessionFilter,
  organizationId: z.string().max(128).optional().describe('Only for keys with the scope `admin`.'),
});

export const sessionResponse = z
  .object({
    id: uuid,
    personaId: z.string().nullable(),
    personaVersion: z
      .union([z.number().int(), z.literal('draft')])
      .nullable()
      .describe('Of a saved persona.'),
    clientLabel: z.string().nullable(),
    source: z.enum(['api', 'console', 'share_link', 'widget']).describe('Where it came from.'),
    startTime: timestamp,
    endTime: timestamp.nullable(),
    sessionLengthMs: z.number().nullable(),
    exitStatus: z.string().nullable(),
    end_reason: z.string().nullable(),
    end_message: z.string().nullable(),
    endReason: z.string().nullable(),
    endMessage: z.string().nullable(),
    grade: z
      .enum(['pending', 'passed', 'failed', 'unclear', 'done', 'error'])
      .nullable()
      .describe(
        'Whether it was a success, by the criteria of its persona. `unclear`: it does not show; `done`: there are no criteria; ' +
          '`error`: the LLM gave no grade. Null: nobody asked.',
      ),
    cost: costTotal,
    engineHost: z.string().nullable(),
    engineProtocol: z.string().nullable(),
    engineVersion: z.string().nullable(),
    region: z.string().nullable(),
    clientMetadata: jsonObject.nullable(),
    personaConfig: jsonObject.describe('The persona as it was when the session began.'),
    contentDeletedAt: timestamp
      .nullable()
      .describe('When what was said was deleted, by age or by request. Null: never.'),
    apiKeyId: z.string().nullable().describe('The key that started it, or minted its token.'),
    userId: z.string().nullable().describe('The user who did.'),
    organizationId: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Session' });
export type SessionResponse = z.infer<typeof sessionResponse>;

const toolCall = z.object({
  turnIndex: z.number().int(),
  correlationId: z.string(),
  toolCallId: z.string(),
  toolName: z.string(),
  toolType: z.enum(['server', 'client', 'system']),
  toolSubtype: z.enum(['rag', 'webhook']).nullable(),
  status: z.enum(['started', 'completed', 'failed']),
  startedAt: timestamp,
  completedAt: timestamp.nullable(),
  durationSeconds: z.number().nullable(),
  errorMessage: z.string().nullable(),
  arguments: jsonObject.nullable(),
  result: z.string().nullable(),
  documentsAccessed: z.array(z.string()).nullable(),
});
export const sessionWithToolCalls = sessionResponse
  .extend({
    toolCalls: z.array(toolCall),
    cost: costDetails,
    usage: z.array(providerUsage).describe('What its providers have done so far, by which they are paid.'),
  })
  .meta({ id: 'SessionWithToolCalls' });

export const transcriptResponse = z
  .object({
    sessionId: uuid,
    personaName: z.string(),
    startTime: timestamp,
    endTime: timestamp.nullable(),
    durationMs: z.number().nullable(),
    totalMessages: z.number().int(),
    transcriptsEnabled: z.boolean(),
    messages: z.array(
      z.object({
        role: z.enum(['user', 'persona']),
        message: z.string().describe('In a meeting it begins with the name: “Alice: We ship on Friday.”'),
        speakerName: z.string().optional().describe('Only in meetings: which participant said it.'),
        forPersona: z
          .literal(false)
          .optional()
          .describe('Only on what was understood, but not taken as said to the persona: it got no answer.'),
        timestamp: timestamp.nullable(),
        speakingDurationSeconds: z.number().nullable(),
        wasInterrupted: z.boolean().optional().describe('Only on rows of the persona.'),
      }),
    ),
  })
  .meta({ id: 'Transcript' });

export const timelineResponse = z
  .object({
    turns: z.array(turnRecord).describe('Stages of each turn, ms from the start of the session.'),
    events: z.array(z.object({ at: z.number(), kind: z.string(), label: z.string() })),
  })
  .meta({ id: 'Timeline' });
