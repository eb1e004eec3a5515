import { ownNames } from '../meeting/addressed-by-name.ts';
import type { SessionEnvironment } from '../kernel/environment.ts';
import { ReplyText, type ReplyTextOutput } from '../text/reply-text.ts';
import type { DeliveryEvent } from './delivery-actions.ts';
import type { Segment } from './persona-message.ts';
import type { LlmEvent } from './preemptive-output.ts';
import { roomAfter } from './reply-length.ts';
import { endThought, NO_REASONING, think, type ReasoningStream } from './reasoning-stream.ts';

/** The LLM's output of one reply so far. Plain data. */
export interface LlmOutput {
  /** Rounds of the LLM so far: 0, and one more after each round of tools. */
  readonly step: number;
  /** Text of this round, as it was passed to delivery. */
  readonly stepText: string;
  /** Text of all rounds. */
  readonly saidText: string;
  /** Segments of all rounds. */
  readonly segments: number;
  /** Segments of this round. */
  readonly stepSegments: number;
  /** UTF-16 units that the LLM has sent in this round, reasoning included. */
  readonly received: number;
  readonly reasoning: ReasoningStream;
}

export const NO_OUTPUT: LlmOutput = {
  step: 0,
  stepText: '',
  saidText: '',
  segments: 0,
  stepSegments: 0,
  received: 0,
  reasoning: NO_REASONING,
};

/** How much of the text before the tool calls is kept, in UTF-16 units. The last word would be enough. */
const LAST_WORDS = 100;

/** A reader for the text of the next round, or of the rest of one. It continues the text so far. */
export function readerAfter(env: SessionEnvironment, output: LlmOutput): ReplyText {
  return new ReplyText({
    language: env.memory.spokenLanguage,
    shortFirst: output.step === 0,
    expectClosing: env.memory.llmClosesReasoning,
    after: output.saidText.slice(-LAST_WORDS),
    said: output.stepText,
    ownNames: [...ownNames(env.config.meeting), env.config.personaName],
    room: roomAfter({ characters: output.saidText.length, segments: output.segments }),
  });
}

export function countReceived(output: LlmOutput, event: LlmEvent): LlmOutput {
  return 'text' in event ? { ...output, received: output.received + event.text.length } : output;
}

export function nextStep(output: LlmOutput): LlmOutput {
  return { ...output, step: output.step + 1, stepText: '', stepSegments: 0, received: 0 };
}

export interface Routed {
  readonly output: LlmOutput;
  readonly toDelivery: readonly DeliveryEvent[];
}

/** Longest chunk of reasoning in one message to the client, in UTF-16 units: data channels carry 64 KiB at once. */
const MAX_CHUNK_LENGTH = 8 * 1024;

/** Passes speech to delivery, and reasoning to the client if it may see it. */
export function route(
  env: SessionEnvironment,
  messageId: string,
  output: LlmOutput,
  parts: readonly ReplyTextOutput[],
): Routed {
  let now = output;
  const toDelivery: DeliveryEvent[] = [];
  let segments: Segment[] = [];
  for (const part of parts) {
    if (part.kind === 'reasoning') {
      now = showReasoning(env, messageId, now, part.text);
      continue;
    }
    now = endReasoning(env, messageId, now);
    if (part.kind === 'retract') {
      env.memory.llmClosesReasoning = true;
      now = withoutStep(now);
      segments = [];
      toDelivery.push({ type: 'delivery.retract' });
    } else {
      const { text, lead, cues, spoken } = part;
      segments.push({
        segmentId: env.ids.uuid(),
        text,
        lead,
        step: now.step,
        utteranceId: null,
        cue: cues.at(-1)?.tag ?? null,
        ...(spoken && { spoken }),
      });
      now = {
        ...now,
        stepText: now.stepText + lead + text,
        saidText: now.saidText + lead + text,
        // What the model says itself is one segment, however many pieces its words come in.
        segments: spoken ? now.segments : now.segments + 1,
        stepSegments: spoken ? now.stepSegments : now.stepSegments + 1,
      };
    }
  }
  return {
    output: now,
    toDelivery: segments.length === 0 ? toDelivery : [...toDelivery, { type: 'delivery.say', segments }],
  };
}

function withoutStep(output: LlmOutput): LlmOutput {
  const saidText = output.saidText.slice(0, output.saidText.length - output.stepText.length);
  return { ...output, stepText: '', saidText, segments: output.segments - output.stepSegments, stepSegments: 0 };
}

export function showReasoning(env: SessionEnvironment, messageId: string, output: LlmOutput, text: string): LlmOutput {
  if (env.config.llm.kind !== 'service' || env.config.llm.reasoningFormat !== 'parsed') return output;
  let { reasoning } = output;
  for (let at = 0; at < text.length; at += MAX_CHUNK_LENGTH) {
    const { stream, data } = think(reasoning, messageId, text.slice(at, at + MAX_CHUNK_LENGTH));
    env.perform({ type: 'message.send', message: { messageType: 'reasoningText', data } });
    reasoning = stream;
  }
  return { ...output, reasoning };
}

export function endReasoning(env: SessionEnvironment, messageId: string, output: LlmOutput): LlmOutput {
  const ended = endThought(output.reasoning, messageId);
  if (ended === null) return output;
  env.perform({ type: 'message.send', message: { messageType: 'reasoningText', data: ended.data } });
  return { ...output, reasoning: ended.stream };
}
