import type { ToolSpec } from '../../ports.ts';
import type { Scene } from './scene.ts';

/** The service's own tools, and the argument that identifies each if it has another name. */
const ARGUMENTS = {
  end_call: 'confirmed',
  change_language: 'language_code',
  pause_conversation: 'duration_seconds',
  skip_turn: 'timeout_seconds',
} as const;

export type SystemToolName = keyof typeof ARGUMENTS;

export function systemTool(scene: Scene, action: SystemToolName): ToolSpec | null {
  return (
    scene.tools.find((tool) => tool.name === action) ??
    scene.tools.find((tool) => isSystemTool(tool) && Object.hasOwn(propertiesOf(tool), ARGUMENTS[action])) ??
    null
  );
}

export function isSystemTool(tool: ToolSpec): boolean {
  if (tool.name === 'interrupt' || Object.hasOwn(ARGUMENTS, tool.name)) return true;
  const names = Object.keys(propertiesOf(tool));
  return names.length === 1 && Object.values(ARGUMENTS).some((argument) => argument === names[0]);
}

export function propertiesOf(tool: ToolSpec): Readonly<Record<string, Record<string, unknown>>> {
  const { properties } = tool.parameters as { properties?: Record<string, Record<string, unknown>> };
  return typeof properties === 'object' && properties !== null ? properties : {};
}

export function requiredOf(tool: ToolSpec): readonly string[] {
  const { required } = tool.parameters as { required?: unknown };
  return Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : [];
}
