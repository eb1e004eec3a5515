import { fillArguments } from '../fill-arguments.ts';
import { inLabel } from '../label.ts';
import { isKnowledgeTool, matchTool } from '../match-tool.ts';
import { choose, type Answer, type Answerer, type Scene } from '../scene.ts';
import { isSystemTool, propertiesOf, requiredOf } from '../system-tools.ts';
import { subjectStems } from '../words.ts';
import { asksSomething } from './questions.ts';
import type { ToolSpec } from '../../../ports.ts';

/** Calls the tool that the words ask for, or asks for a missing argument. */
export const useTool: Answerer = (scene) => {
  const tool = matchTool(scene.tools, scene.said);
  return tool === null ? null : callOrAsk(scene, tool, scene.said, {});
};

/** The answer to "What should I use as the city?": the wish before it, with this argument. */
export const answerToMyQuestion: Answerer = (scene) => {
  const asked = scene.ownMessages.at(-1) ?? '';
  for (const tool of scene.tools) {
    const missing = isSystemTool(tool)
      ? undefined
      : requiredOf(tool).find((name) => asked.endsWith(questionFor(scene, name)));
    if (missing === undefined) continue;
    if (scene.language.hears.no.test(scene.heard)) return { say: choose(scene, scene.language.says.allRight) };
    const given = fillArguments(tool, scene.said, scene).args[missing] ?? withoutLead(scene.said);
    return callOrAsk(scene, tool, wishBehind(scene, tool), { [missing]: given });
  }
  return null;
};

/** Searches the documents for a question, or for a few words that may be one. */
export const askKnowledge: Answerer = (scene) => {
  const tools = scene.tools.filter(isKnowledgeTool);
  const fitting = tools.find((tool) => matchesDescription(tool, scene.said));
  const tool = fitting ?? tools[0];
  if (tool === undefined || subjectStems(scene.said).length === 0) return null;
  return fitting !== undefined || asksSomething(scene)
    ? { call: tool.name, args: { [queryArgument(tool)]: scene.said.trim() } }
    : null;
};

/** A knowledge tool may have its own parameters. The first text parameter is the query. */
function queryArgument(tool: ToolSpec): string {
  const properties = Object.entries(propertiesOf(tool));
  return (
    properties.find(([name]) => name === 'query')?.[0] ??
    properties.find(([, { type }]) => type === 'string')?.[0] ??
    'query'
  );
}

function callOrAsk(scene: Scene, tool: ToolSpec, wish: string, given: Readonly<Record<string, unknown>>): Answer {
  const { args, missing } = fillArguments(tool, wish, scene);
  const open = missing.find((name) => !Object.hasOwn(given, name));
  return open === undefined ? { call: tool.name, args: { ...args, ...given } } : { say: questionFor(scene, open) };
}

function questionFor(scene: Scene, argument: string): string {
  return (scene.language.says.whichValue[0] ?? '').replace('{topic}', inLabel(argument));
}

/** The last wish that this tool can fulfil. One or two questions may be in between. */
function wishBehind(scene: Scene, tool: ToolSpec): string {
  return scene.userMessages.slice(-4, -1).findLast((said) => matchTool([tool], said) !== null) ?? '';
}

function withoutLead(said: string): string {
  return said
    .trim()
    .replace(/^(?:(?:it's|it is|use|in|at|for|to|the|a|my|please|i think|maybe|for example)\s+)+/i, '')
    .replace(/[.!?]+$/, '');
}

function matchesDescription(tool: ToolSpec, said: string): boolean {
  const about = new Set(subjectStems(`${inLabel(tool.name)} ${tool.description}`));
  return subjectStems(said).some((word) => about.has(word));
}
