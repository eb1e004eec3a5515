import { LANGUAGE_NAMES, LANGUAGES } from '../languages/index.ts';
import { choose, type Answerer } from '../scene.ts';
import { systemTool } from '../system-tools.ts';

const SPEAK =
  /(?:^| )(speak|talk|switch|change|continue|use|in|to|sprich|sprechen|sprichst|auf|parle|parler|parlons|en|habla|hablar|hablamos|parla|parlare|parliamo)(?= |$)/;

/** "Can we speak German?" */
export const changeLanguage: Answerer = (scene) => {
  const name = scene.words.find((word) => Object.hasOwn(LANGUAGE_NAMES, word));
  const code = name === undefined ? undefined : LANGUAGE_NAMES[name];
  if (code === undefined || code === scene.languageCode || !SPEAK.test(scene.heard) || scene.words.length > 12)
    return null;
  const tool = systemTool(scene, 'change_language');
  if (tool !== null) return { call: tool.name, args: { language_code: code } };
  const target = LANGUAGES[code];
  return target === undefined ? null : { say: choose(scene, target.says.languageChanged) };
};
