import { z } from 'zod';
import { parseBoundedJson, JsonLimitError } from '../../actors/bounded-json.ts';
import { MAX_SDP_CHARS } from '../transport/sdp/parse-offer.ts';

/**
 * What a client may send on the signaling socket. Unknown keys are dropped, unknown actions and broken payloads are
 * counted as junk by the socket and otherwise ignored: some clients send more than they need to.
 */

const MAX_CANDIDATE_CHARS = 1024;
const MAX_TALK_CHARS = 32 * 1024;

const candidate = z.object({
  candidate: z.string().max(MAX_CANDIDATE_CHARS),
  sdpMid: z.string().max(64).nullish(),
});

const talkChunk = z.object({
  content: z.string().max(MAX_TALK_CHARS),
  startOfSpeech: z.boolean().nullish(),
  endOfSpeech: z.boolean().nullish(),
  correlationId: z.string().max(256).nullish(),
  utteranceId: z.string().max(64).nullish(),
});

/** A chunk in a format that cannot be spoken is no junk: the session says so once, and the conversation goes on. */
const agentAudio = z.object({
  audioData: z.base64(),
  encoding: z.string().max(64),
  sampleRate: z.number(),
  channels: z.number().default(1),
  sequenceNumber: z.number().int().min(0),
});
export type AgentAudioChunk = z.infer<typeof agentAudio>;

export const clientSignalSchema = z.discriminatedUnion('actionType', [
  z.object({
    actionType: z.literal('offer'),
    payload: z.object({
      connectionDescription: z.object({ type: z.literal('offer'), sdp: z.string().min(1).max(MAX_SDP_CHARS) }),
      /** Sent by Parley's own client: the end of its peer is not the end of the conversation. */
      resume: z.boolean().nullish(),
    }),
  }),
  z.object({ actionType: z.literal('icecandidate'), payload: candidate }),
  z.object({ actionType: z.literal('heartbeat') }),
  z.object({ actionType: z.literal('talkstream'), payload: talkChunk }),
  z.object({ actionType: z.literal('agentaudioinput'), payload: agentAudio }),
  z.object({ actionType: z.literal('agentaudioinputend') }),
  z.object({ actionType: z.literal('endsession') }),
]);
export type ClientSignal = z.infer<typeof clientSignalSchema>;

/** Clients never need to send these, but doing so is no offence. */
const HARMLESS = new Set(['answer', 'warning', 'sessionready', 'talkinputstreaminterrupted']);

export type ParsedSignal =
  | { readonly kind: 'signal'; readonly signal: ClientSignal }
  | { readonly kind: 'ignored' }
  /** `problem` names the fields, never their contents. */
  | { readonly kind: 'junk'; readonly problem: string };

/** @param text one text frame of the socket. A message for another session is ignored. */
export function parseClientSignal(text: string, sessionId: string): ParsedSignal {
  let message: unknown;
  try {
    message = parseBoundedJson(text);
  } catch (error) {
    return { kind: 'junk', problem: error instanceof JsonLimitError ? error.message : 'not JSON' };
  }
  if (typeof message !== 'object' || message === null) return { kind: 'junk', problem: 'not an object' };
  const envelope = message as { actionType?: unknown; sessionId?: unknown };
  if (typeof envelope.sessionId === 'string' && envelope.sessionId !== sessionId)
    return { kind: 'junk', problem: 'another session' };
  if (typeof envelope.actionType === 'string' && HARMLESS.has(envelope.actionType)) return { kind: 'ignored' };
  const parsed = clientSignalSchema.safeParse(message);
  if (parsed.success) return { kind: 'signal', signal: parsed.data };
  return { kind: 'junk', problem: parsed.error.issues.map((issue) => issue.path.join('.') || issue.code).join(', ') };
}
