import type { CallToolResult } from '@modelcontextprotocol/client';
import { truncateUtf8 } from '../../../actors/tools/tool-output.ts';
import { ToolFailure, type ToolAnswer } from '../webhook.ts';

/** What of a result reaches the LLM. */
const MAX_ANSWER_BYTES = 16 * 1024;
const MAX_ERROR_CHARACTERS = 500;

/**
 * What the LLM and the client read of a result.
 * @param result cleaned: see `cleanCallResult`. @throws ToolFailure when the tool itself says that it failed.
 */
export function mcpAnswer(result: CallToolResult): ToolAnswer {
  const structured = result.structuredContent;
  const texts = result.content.map((block) => (block.type === 'text' ? block.text : ''));
  const output = truncateUtf8(texts.join('\n'), MAX_ANSWER_BYTES);
  if (result.isError === true) {
    const told = output.trim().slice(0, MAX_ERROR_CHARACTERS);
    throw new ToolFailure(told === '' ? 'The tool failed.' : told);
  }
  const small = structured !== undefined && Buffer.byteLength(JSON.stringify(structured)) <= MAX_ANSWER_BYTES;
  return { output, result: small ? structured : output };
}
