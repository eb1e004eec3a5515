import { isFrame, type Frame } from './frames.ts';

/**
 * Answers of Bedrock's Converse, as gateways pass them on: with the name of each event around it, or without. They are Claude's
 * events in other words (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html).
 */

/** @returns the same in the form of Anthropic; null when it is none of these. */
export function fromBedrock(frame: Frame): Frame | null {
  const { output, stopReason, messageStart, contentBlockStart, contentBlockDelta, messageStop } = frame;
  const message = isFrame(output) ? output['message'] : undefined;
  if (isFrame(message) && Array.isArray(message['content']))
    return { type: 'message', content: message['content'].map(blockOf), stop_reason: stopReason ?? 'end_turn' };
  if (isFrame(messageStart)) return { type: 'message_start' };
  if (isFrame(messageStop)) return ended(messageStop['stopReason']);
  if (isFrame(contentBlockStart)) return begun(contentBlockStart);
  if (isFrame(contentBlockDelta)) return goneOn(contentBlockDelta);
  if (typeof frame['contentBlockIndex'] === 'number')
    return isFrame(frame['delta'])
      ? goneOn(frame)
      : isFrame(frame['start'])
        ? begun(frame)
        : { type: 'content_block_stop' };
  return typeof stopReason === 'string' ? ended(stopReason) : null;
}

const ended = (reason: unknown): Frame => ({ type: 'message_delta', delta: { stop_reason: reason } });

const begun = ({ contentBlockIndex: index, start }: Frame): Frame => ({
  type: 'content_block_start',
  index,
  content_block: blockOf(start),
});

/** A piece of a text, of the arguments of a call, or of a thought. */
function goneOn({ contentBlockIndex: index, delta }: Frame): Frame {
  const { text, toolUse } = isFrame(delta) ? delta : {};
  const inner = isFrame(toolUse)
    ? { type: 'input_json_delta', partial_json: toolUse['input'] }
    : { type: 'text_delta', text: text ?? '' };
  return { type: 'content_block_delta', index, delta: inner };
}

function blockOf(block: unknown): Frame {
  const { toolUse, text } = isFrame(block) ? block : {};
  if (isFrame(toolUse))
    return { type: 'tool_use', id: toolUse['toolUseId'], name: toolUse['name'], input: toolUse['input'] };
  return typeof text === 'string' ? { type: 'text', text } : { type: 'other' };
}
