import { personaOf } from '../persona.ts';
import { choose, type Answerer } from '../scene.ts';

/** The user's name: hears it and remembers it. */
export const names: Answerer = (scene) => {
  const { hears, says } = scene.language;
  if (hears.whatIsMyName.test(scene.heard))
    return {
      say: scene.userName === null ? choose(scene, says.nameUnknown) : choose(scene, says.yourNameIs, scene.userName),
    };
  const introduced =
    hears.myNameIs.test(scene.heard) ||
    /^(hi|hello|hey)?,? ?I(?:'|’)?(?: a)?m \p{Lu}[\p{L}'-]+[.!]?$/u.test(scene.said.trim());
  return introduced && scene.userName !== null ? { say: choose(scene, says.niceToMeet) } : null;
};

const HONEST =
  /\b(are you (a |an )?(real|human|robot|bot|machine|ai|person|computer|llm|chat ?gpt|offline)|(what|which) (kind of )?(model|llm|ai) (are|is|do)|language model|how do you work|offline mind|artificial intelligence)\b/;

/** The persona's name, and that it is no human. */
export const aboutMe: Answerer = (scene) => {
  const { hears, says } = scene.language;
  const { name, self } = personaOf(scene);
  if (HONEST.test(scene.heard)) return { say: choose(scene, says.offlineLlm) };
  if (hears.whoAreYou.test(scene.heard)) {
    const me =
      scene.languageCode === 'en' && self !== null ? self : name === null ? null : choose(scene, says.iAm, name);
    return { say: me ?? choose(scene, says.offlineLlm) };
  }
  return hears.whatCanYouDo.test(scene.heard) ? { say: choose(scene, says.offlineLlm) } : null;
};
