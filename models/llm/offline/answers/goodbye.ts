import { choose, type Answerer } from '../scene.ts';
import { systemTool } from '../system-tools.ts';

/** "Goodbye": ends the call if the persona has the tool, else only says goodbye. A clear wish needs no question. */
export const goodbye: Answerer = (scene) => {
  const agreed =
    scene.language.hears.yes.test(scene.heard) &&
    scene.language.says.endCall.some((text) => scene.ownMessages.at(-1)?.endsWith(text) === true);
  if (!agreed && !scene.language.hears.goodbye.test(scene.heard)) return null;
  const tool = systemTool(scene, 'end_call');
  if (tool !== null) return { call: tool.name, args: { confirmed: true } };
  return { say: choose(scene, scene.language.says.goodbye) };
};
