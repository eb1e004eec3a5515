import type { ToolCallStartedPayload } from '@parley/client';

/**
 * A client tool as a function: what it returns or resolves to is the result for the LLM, an error that it throws is told
 * to the LLM. `args` is what the parameters of the tool describe, which only the page knows: its functions name the type.
 */
// eslint-disable-next-line typescript/no-explicit-any
export type PersonaTool = (args: any, call: ToolCallStartedPayload) => unknown;

/** By the name of the tool. */
export type PersonaTools = Readonly<Record<string, PersonaTool>>;

/** @throws Error for a tool that the page does not have: the LLM is told at once instead of after the time-out. */
export function runTool(tools: PersonaTools, call: ToolCallStartedPayload): unknown {
  // The service runs the others.
  if (call.toolType !== 'client') return undefined;
  const tool = Object.hasOwn(tools, call.toolName) ? tools[call.toolName] : undefined;
  if (tool === undefined) throw new Error(`The page has no tool "${call.toolName}".`);
  return tool(call.arguments, call);
}
