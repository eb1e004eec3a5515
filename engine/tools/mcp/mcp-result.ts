import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { truncateUtf8 } from '../../../actors/tools/tool-output.ts';
import { ToolFailure, type ToolAnswer } from '../webhook.ts';

/** What of a result reaches the LLM. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ERROR_CHARACTERS = 500;

/** What the LLM and the client read of a result. @throws ToolFailure when the tool itself says that it failed. */
export function mcpAnswer(result: CallToolResult): ToolAnswer {
  const texts = result.content.map(textOf).filter((text) => text !== '');
  const structured = result.structuredContent;
  const whole = texts.length === 0 && structured !== undefined ? JSON.stringify(structured) : texts.join('\n');
  const output = truncateUtf8(whole, MAX_ANSWER_BYTES);
  if (result.isError === true) {
    const told = output.trim().slice(0, MAX_ERROR_CHARACTERS);
    throw new ToolFailure(told === '' ? 'The tool failed.' : told);
  }
  const small = structured !== undefined && Buffer.byteLength(JSON.stringify(structured)) <= MAX_ANSWER_BYTES;
  return { output, result: small ? structured : output };
}

/** Images and sound are left out: the LLM of a conversation reads text. */
function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.mimeType ?? 'file'} left out]`;
    case 'resource_link':
      return `${block.title ?? block.name}: ${block.uri}`;
    default:
      return `[${block.type} left out]`;
  }
}
