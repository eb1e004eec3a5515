import type { Answerer } from '../scene.ts';

const TIME =
  /(?:^| )(what time is it|what's the time|what is the time|tell me the time|wie spät ist es|wieviel uhr|wie viel uhr|quelle heure est-il|quelle heure|qué hora es|che ora è|che ore sono)/;
const DATE =
  /(?:^| )(what day is (it|today)|what's the date|what is the date|what date|today's date|which day|what year|what month|welcher tag|welches datum|quel jour|quelle date|qué día|qué fecha|che giorno)/;

/** By the clock of the machine that the service runs on. */
export const dateAndTime: Answerer = (scene) => {
  const time = TIME.test(scene.heard);
  if (!time && !DATE.test(scene.heard)) return null;
  const format = new Intl.DateTimeFormat(
    scene.languageCode,
    time ? { hour: 'numeric', minute: '2-digit' } : { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  );
  const text = format.format(scene.now);
  if (scene.languageCode !== 'en') return { say: `${text}.` };
  return { say: time ? `It is ${text} where I run.` : `Today is ${text}.` };
};
