import { choose, type Answerer } from '../scene.ts';

/** Hello, how are you, thanks, yes and no. */
export const smallTalk: Answerer = (scene) => {
  const { hears, says } = scene.language;
  const { heard } = scene;
  if (hears.howAreYou.test(heard)) return { say: choose(scene, says.fine) };
  if (hears.thanks.test(heard) && scene.words.length <= 8) return { say: choose(scene, says.welcome) };
  if (hears.hello.test(heard)) return { say: choose(scene, says.hello) };
  if (hears.no.test(heard)) return { say: choose(scene, says.allRight) };
  if (hears.yes.test(heard)) return { say: choose(scene, says.encouragement) };
  return null;
};

const LINES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /\b(joke|something funny|make me laugh)\b/,
    [
      'Why did the microphone break up with the speaker? There was too much feedback.',
      'I would tell you a joke about silence, but you would have to wait for it.',
    ],
  ],
  [/\b(weather|raining|sunny|forecast)\b/, ['I have no window and no forecast here. What is it like where you are?']],
  [
    /\b(i (love|like) you|you are (great|nice|funny|cool|amazing|wonderful|smart)|well done|good job)\b/,
    ['Thank you, that is kind of you! What shall we do next?', 'You are very kind.'],
  ],
  [
    /\b(you are (stupid|dumb|boring|bad|useless)|i hate you|shut up)\b/,
    ["I'm sorry that I can't do better. What would help you?"],
  ],
  [/\b(sorry|excuse me|my apologies)\b/, ['No problem at all. Please go on.']],
  [
    /\b(can you hear me|do you hear me|are you there|is this working|testing|test test)\b/,
    ['Yes, I hear you loud and clear.', "I'm here and I hear you."],
  ],
  [/\b(can you see me|do you see me)\b/, ['No, I only hear you; there is no camera on my side.']],
  [/\b(count to (ten|10))\b/, ['One, two, three, four, five, six, seven, eight, nine, ten.']],
  [
    /\b(tell me a story|a story)\b/,
    [
      'Once upon a time there was a little voice without a body. One day somebody lent it a face, and ever since it has been asking people one question: what happens next?',
    ],
  ],
  [/\b(sing|a song)\b/, ['I would rather spare you that. But I will gladly hear which song you like.']],
];

/** Some topics that people often try first, in English. */
export const favouriteTopics: Answerer = (scene) => {
  const line = LINES.find(([pattern]) => pattern.test(scene.heard));
  return line === undefined ? null : { say: choose(scene, line[1]) };
};
