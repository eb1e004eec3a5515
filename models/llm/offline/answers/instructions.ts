import { choose, type Answerer } from '../scene.ts';
import { personaOf } from '../persona.ts';
import { capitalised } from '../words.ts';

/** Answers to the service's own instructions: a greeting at the beginning, and a prompt when the user is silent. */
export const instructions: Answerer = (scene) => {
  if (scene.instruction === 'prompt') return { say: choose(scene, scene.language.says.stillThere) };
  if (scene.instruction !== 'greet') return null;
  const { name } = personaOf(scene);
  const greeting = choose(scene, scene.language.says.greeting);
  if (name === null) return { say: greeting };
  // "Hello! I'm Ada. What would you like to talk about?"
  const end = greeting.search(/[!.,]\s/) + 1;
  return {
    say: `${greeting.slice(0, end).replace(/,$/, '!')} ${choose(scene, scene.language.says.iAm, name)} ${capitalised(greeting.slice(end).trim())}`.trim(),
  };
};
