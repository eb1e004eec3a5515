import { z } from 'zod';
import { jsonObject, timestamp } from '../../http/schemas.ts';
import { turnProviders } from '../records/turn-schema.ts';

const seconds = z.number().nullable();
const time = timestamp.nullable();

const turn = z
  .object({
    turnIndex: z.number().int(),
    correlationId: z.string(),
    userSpeechStartTime: time,
    userSpeechEndTime: time,
    userSpeechDurationSeconds: seconds,
    userTranscriptionTime: time,
    transcriptionLatencySeconds: seconds.describe('End of speech to transcript.'),
    llmFirstOutputTime: time,
    llmFinalOutputTime: time,
    llmTimeToFirstOutputSeconds: seconds.describe('Transcript to first output.'),
    llmGenerationDurationSeconds: seconds,
    ttsStartTime: time,
    ttsEndTime: time,
    ttsGenerationDurationSeconds: seconds,
    ttsTimeToFirstAudioSeconds: seconds.describe('Start of synthesis to speaking.'),
    personaStartSpeakingTime: time,
    personaStopSpeakingTime: time,
    firstAudioLatencySeconds: seconds.describe('End of speech to speaking.'),
    speakingDurationSeconds: seconds,
    finishReason: z.enum(['completed', 'interrupted']).nullable(),
    wasInterrupted: z.boolean(),
    interruptedStage: z
      .enum(['before_llm_output', 'during_llm_generation', 'before_audio', 'while_speaking'])
      .nullable(),
    toolCalls: z.array(
      z.object({
        toolCallId: z.string(),
        toolName: z.string(),
        toolType: z.string(),
        status: z.string(),
        startedAt: timestamp,
        completedAt: time,
        durationSeconds: seconds,
        errorMessage: z.string().nullable(),
      }),
    ),
    providers: turnProviders,
    userMessage: z.string().nullable().optional(),
    assistantMessage: z.string().nullable().optional(),
  })
  .meta({ id: 'TurnAnalytics' });

const toolCalls = z.object({
  total: z.number().int(),
  succeeded: z.number().int(),
  failed: z.number().int(),
  byName: z.record(z.string(), z.number().int()),
});

export const sessionAnalytics = z
  .object({
    sessionId: z.string(),
    startTime: timestamp,
    endTime: time,
    durationSeconds: seconds,
    sessionType: z.string().nullable(),
    exitStatus: z.string().nullable(),
    end_reason: z.string().nullable(),
    end_message: z.string().nullable(),
    endReason: z.string().nullable(),
    endMessage: z.string().nullable(),
    clientLabel: z.string().nullable(),
    clientMetadata: jsonObject.nullable(),
    personaId: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    config: z.object({
      llmProvider: z.string().nullable(),
      llmModel: z.string().nullable(),
      ttsProvider: z.string().nullable(),
      ttsVoice: z.string().nullable(),
      avatarKey: z.string().nullable(),
      personaName: z.string(),
      languageCode: z.string().nullable(),
      transcriptsEnabled: z.boolean(),
    }),
    summary: z.object({
      totalTurns: z.number().int(),
      completedTurns: z.number().int(),
      interruptedTurns: z.number().int(),
      interruptionRate: z.number(),
      totalUserSpeechDurationSeconds: z.number(),
      totalUserWords: z.number().int(),
      totalAssistantWords: z.number().int(),
      totalWarnings: z.number().int(),
      totalErrors: z.number().int(),
      toolCalls,
      averageLatencies: z.object({
        transcriptionLatencySeconds: seconds,
        llmTimeToFirstOutputSeconds: seconds,
        ttsGenerationDurationSeconds: seconds,
        firstAudioLatencySeconds: seconds,
      }),
    }),
    turns: z.array(turn),
  })
  .meta({ id: 'SessionAnalytics' });

const spread = z
  .object({
    count: z.number().int(),
    avg: seconds,
    p50: seconds,
    p90: seconds,
    p95: seconds,
    p99: seconds,
    max: seconds,
  })
  .meta({ id: 'Distribution' });

/** What is measured of every turn. */
export const LATENCIES = [
  'transcriptionLatencySeconds',
  'llmTimeToFirstOutputSeconds',
  'llmGenerationDurationSeconds',
  'ttsGenerationDurationSeconds',
  'ttsTimeToFirstAudioSeconds',
  'firstAudioLatencySeconds',
  'speakingDurationSeconds',
  'userSpeechDurationSeconds',
] as const;
/** Of these the slowest turns are named. */
export const SLOWEST = [
  'transcriptionLatencySeconds',
  'llmTimeToFirstOutputSeconds',
  'ttsTimeToFirstAudioSeconds',
  'firstAudioLatencySeconds',
] as const;

export const aggregateQuery = z.object({
  from: z.iso.datetime({ offset: true }).optional().describe('Default: one day before `to`.'),
  to: z.iso.datetime({ offset: true }).optional().describe('Default: now.'),
  personaId: z.string().max(128).optional(),
  apiKeyId: z.string().max(128).optional(),
  clientLabel: z.string().max(128).optional(),
  sessionType: z.enum(['turnkey', 'custom_llm_server', 'custom_llm_client', 'livekit', 'elevenlabs_agent']).optional(),
  organizationId: z.string().max(128).optional(),
});

export const aggregateAnalytics = z
  .object({
    from: timestamp,
    to: timestamp,
    filters: z.object({
      personaId: z.string().nullable(),
      apiKeyId: z.string().nullable(),
      clientLabel: z.string().nullable(),
      sessionType: z.string().nullable(),
    }),
    sessionCount: z.number().int(),
    sessionsWithReports: z.number().int(),
    truncated: z.boolean(),
    turnCount: z.number().int(),
    latencies: z.object(
      Object.fromEntries(LATENCIES.map((name) => [name, spread])) as Record<(typeof LATENCIES)[number], typeof spread>,
    ),
    counts: z.object({
      completedTurns: z.number().int(),
      interruptedTurns: z.number().int(),
      interruptedBeforeAudioTurns: z.number().int(),
      totalErrors: z.number().int(),
      totalWarnings: z.number().int(),
      sessionsWithErrors: z.number().int(),
      sessionsWithWarnings: z.number().int(),
      toolCalls,
    }),
    rates: z.object({
      interruptionRate: z.number(),
      interruptedBeforeAudioRate: z.number(),
      errorSessionRate: z.number(),
      warningSessionRate: z.number(),
      toolCallFailureRate: z.number(),
    }),
    slowestTurns: z.array(
      z.object({
        sessionId: z.string(),
        correlationId: z.string(),
        metric: z.enum(SLOWEST),
        valueSeconds: z.number(),
        sessionStartTime: timestamp,
        personaId: z.string().nullable(),
        clientLabel: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'AggregateAnalytics' });
