import { choose, type Answerer, type Scene } from '../scene.ts';
import { capitalised, isFunctionWord } from '../words.ts';
import { asksSomething } from './questions.ts';

const BACK: Readonly<Record<string, string>> = {
  i: 'you',
  "i'm": "you're",
  me: 'you',
  my: 'your',
  mine: 'yours',
  myself: 'yourself',
  am: 'are',
  you: 'me',
  your: 'my',
  we: 'you',
  our: 'your',
  us: 'you',
};

const STATEMENTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^(?:and |but |so |well )*(?:i feel|i'm feeling|i am feeling) (.+)$/,
    ['What makes you feel {topic}?', 'How long have you been feeling {topic}?'],
  ],
  [
    /^(?:and |but |so |well )*i (?:really )?(?:like|love|enjoy|prefer) (.+)$/,
    ['What do you like most about {topic}?', 'How did you come to like {topic}?'],
  ],
  [/^(?:and |but |so |well )*i (?:don't like|do not like|hate|dislike) (.+)$/, ['What bothers you about {topic}?']],
  [
    /^(?:and |but |so |well )*(?:i want to|i would like to|i'd like to|i hope to|i plan to|i'm going to) (.+)$/,
    ['What would be a good first step to {topic}?', 'Why would you like to {topic}?'],
  ],
  [/^(?:and |but |so |well )*(?:i need|i want) (.+)$/, ['What would you do with {topic}?', 'Why do you need {topic}?']],
  [/^(?:and |but |so |well )*(?:i think|i believe|i guess) (.+)$/, ['What makes you think that {topic}?']],
  [/^(?:and |but |so |well )*my (.+?) (?:is|are|was|were|has|have) .+$/, ['Tell me more about your {topic}.']],
  [/^because (.+)$/, ['That makes sense. And what follows from it?']],
];

/** Of a longer statement, only the topic is repeated. */
const MAX_ECHO_WORDS = 9;

/** If nothing else fits: repeats a part of what was said, or says that it does not know. */
export const reflect: Answerer = (scene) => {
  const { says } = scene.language;
  if (scene.words.length === 0) return { say: choose(scene, says.stillThere) };
  if (asksSomething(scene)) {
    const known = scene.ownMessages.some((text) => says.offlineLlm.includes(text));
    return {
      say: known || scene.ownMessages.length < 3 ? choose(scene, says.dontKnow) : choose(scene, says.offlineLlm),
    };
  }
  const statement = scene.languageCode === 'en' ? echo(scene) : null;
  if (statement !== null) return { say: statement };
  const topic = topicOf(scene);
  return {
    say: topic === null ? choose(scene, says.encouragement) : capitalised(choose(scene, says.tellMeMore, topic)),
  };
};

function echo(scene: Scene): string | null {
  for (const [pattern, answers] of STATEMENTS) {
    const rest = pattern.exec(scene.heard)?.[1];
    if (rest !== undefined && rest.split(' ').length <= MAX_ECHO_WORDS) return choose(scene, answers, turnedBack(rest));
  }
  return null;
}

function turnedBack(text: string): string {
  return text
    .split(' ')
    .map((word) => BACK[word] ?? word)
    .join(' ');
}

/** Words for a time or for an opinion, which are not the topic. */
const NOT_A_TOPIC =
  /^(yesterday|today|tomorrow|tonight|morning|evening|always|never|sometimes|really|actually|probably|maybe|think|amazing|wonderful|beautiful|interesting|boring|gestern|heute|morgen|immer|hier|demain|aujourd'hui|ayer|mañana|ieri|domani)$/;

/** The longest subject word, in the user's spelling. */
function topicOf(scene: Scene): string | null {
  const longest = scene.words
    .filter(
      (word) =>
        word.length > 3 && !isFunctionWord(word) && !NOT_A_TOPIC.test(word) && !scene.language.marks.includes(word),
    )
    .toSorted((a, b) => b.length - a.length)[0];
  if (longest === undefined) return null;
  return scene.said.match(/[\p{L}\p{N}'’]+/gu)?.find((word) => word.toLowerCase() === longest) ?? longest;
}
