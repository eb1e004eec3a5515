import type { SessionEnvironment } from '../session/environment.ts';
import type { ReplyTextOutput } from '../text/reply-text.ts';
import type { DeliveryEvent } from './delivery-machine.ts';
import { endThought, NO_REASONING, think, type ReasoningStream } from './reasoning-stream.ts';

/** What has become of the LLM's words so far. Plain data. */
export interface LlmOutput {
  /** Rounds of the LLM so far: 0, and one more after each round of tools. */
  readonly step: number;
  /** Words of this round, as they were given to the voice. */
  readonly stepText: string;
  /** Words of all rounds. */
  readonly saidText: string;
  readonly reasoning: ReasoningStream;
}

export const NO_OUTPUT: LlmOutput = { step: 0, stepText: '', saidText: '', reasoning: NO_REASONING };

export interface Routed {
  readonly output: LlmOutput;
  readonly toDelivery: readonly DeliveryEvent[];
}

/** Sends the LLM's words where they belong: speech to the delivery, reasoning to the client if it may see it. */
export function route(
  env: SessionEnvironment,
  messageId: string,
  output: LlmOutput,
  parts: readonly ReplyTextOutput[],
): Routed {
  let now = output;
  const toDelivery: DeliveryEvent[] = [];
  for (const part of parts) {
    if (part.kind === 'reasoning') {
      now = showReasoning(env, messageId, now, part.text);
      continue;
    }
    now = endReasoning(env, messageId, now);
    if (part.kind === 'retract') {
      env.memory.llmClosesReasoning = true;
      now = { ...now, saidText: now.saidText.slice(0, now.saidText.length - now.stepText.length), stepText: '' };
      toDelivery.push({ type: 'delivery.retract' });
    } else {
      const { text, lead, cues } = part;
      toDelivery.push({
        type: 'delivery.say',
        segment: {
          segmentId: env.ids.uuid(),
          text,
          lead,
          step: now.step,
          utteranceId: null,
          cue: cues.at(-1)?.tag ?? null,
        },
      });
      now = { ...now, stepText: now.stepText + lead + text, saidText: now.saidText + lead + text };
    }
  }
  return { output: now, toDelivery };
}

export function showReasoning(env: SessionEnvironment, messageId: string, output: LlmOutput, text: string): LlmOutput {
  if (env.config.llm.kind !== 'service' || env.config.llm.reasoningFormat !== 'parsed' || text === '') return output;
  const { stream, data } = think(output.reasoning, messageId, text);
  env.perform({ type: 'message.send', message: { messageType: 'reasoningText', data } });
  return { ...output, reasoning: stream };
}

export function endReasoning(env: SessionEnvironment, messageId: string, output: LlmOutput): LlmOutput {
  const ended = endThought(output.reasoning, messageId);
  if (ended === null) return output;
  env.perform({ type: 'message.send', message: { messageType: 'reasoningText', data: ended.data } });
  return { ...output, reasoning: ended.stream };
}
