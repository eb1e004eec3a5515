/** `node bench/conversation-quality/group/index.ts`: 200 meetings of three or four people and the persona. */
import type { Rate } from '../measures.ts';
import { playGroup } from './play-group.ts';
import {
  answered,
  beginsOverVoices,
  isAnswered,
  isQuestion,
  isRecognizable,
  latencies,
  rowNames,
  unwanted,
  type RowName,
} from './measures.ts';

const MEETINGS = 200;
const FIRST_SEED = 4_000;

const meetings = Array.from({ length: MEETINGS }, (_, number) => playGroup(FIRST_SEED + number));

const share = ({ good, of }: Rate): string => `${(good / of).toFixed(3)} (${good} of ${of})`;
const print = (what: string, figure: string): void => console.log(`${what.padEnd(62)}${figure}`);

const minutes = meetings.reduce((sum, { lengthMs }) => sum + lengthMs, 0) / 60_000;
console.log(`${MEETINGS} meetings, ${minutes.toFixed(0)} min: simulated people, recognizer and LLM; no sound.\n`);

const byName = answered(meetings, ({ act }) => act.kind === 'addressed');
const recognizable = answered(meetings, (act, meeting) => isRecognizable(act, meeting));
const followUps = answered(
  meetings,
  ({ act }, meeting, before) => act.kind === 'follow-up' && isAnswered(before, meeting),
);
print('questions that name the persona, answered', share(byName));
print('… where the recognizer wrote what is like its name', share(recognizable));
print('next questions of whoever was just answered, answered', share(followUps));

const wrong = unwanted(meetings);
for (const kind of ['talk', 'similar', 'turned-away', 'addressed', 'follow-up'] as const) {
  const of = meetings.flatMap(({ acts }) => acts.filter(({ act }) => act.kind === kind)).length;
  print(
    `beginnings that nobody asked for, after "${kind}"`,
    share({ good: wrong.filter((one) => one === kind).length, of }),
  );
}
const talk = meetings.flatMap(({ acts }) => acts.filter((act) => !isQuestion(act))).length;
print('… of all that was not meant for it', share({ good: wrong.length, of: talk }));
print('beginnings while somebody speaks', String(beginsOverVoices(meetings)));

const times = latencies(meetings);
const percentile = (part: number): string => times[Math.floor((times.length - 1) * part)]?.toFixed(0) ?? '–';
print('end of the question to the answer, ms, p50 / p95', `${percentile(0.5)} / ${percentile(0.95)}`);

const names = rowNames(meetings);
const named = (name: RowName): string => share({ good: names.filter((one) => one === name).length, of: names.length });
print('rows with the name of who spoke', named('right'));
print('… with several names, of which one is right', named('several'));
print('… with another name', named('wrong'));
