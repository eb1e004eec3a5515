/**
 * `node bench/conversation-quality/group/name-alarms.ts`: how often a word is taken for a first name that was not said.
 * It reads the English documents of all installed packages: technical prose, which has fewer names than talk.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { misheardBy } from '../../../actors/meeting/phonetic-match.ts';
import { plainWords } from '../../../actors/text/words.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NAMES = (
  'james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan joseph jessica ' +
  'thomas sarah charles karen christopher lisa daniel nancy matthew betty anthony margaret mark sandra donald ashley ' +
  'steven kimberly paul emily andrew donna joshua michelle kenneth carol kevin amanda brian melissa george deborah ' +
  'edward stephanie ronald rebecca timothy laura jason helen jeffrey sharon ryan cynthia jacob kathleen gary amy ' +
  'nicholas angela eric anna elena sophie ada liam noah emma olivia mia jane kate alice leo clara julia nora felix ' +
  'hugo marie sofia luca marco diego pablo ingrid astrid sven oliver'
).split(' ');

const counts = new Map<string, number>();
let words = 0;
for (const path of globSync('node_modules/**/{*.md,LICENSE*}', { cwd: ROOT, exclude: (name) => name === '.bin' })) {
  for (const word of plainWords(readFileSync(join(ROOT, path), 'utf8'), 'en')) {
    if (!/^[a-z]+$/.test(word)) continue;
    words += 1;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
}

const rows = NAMES.map((name) => {
  const taken = [...counts].filter(([word]) => word !== name && misheardBy(word, name) !== null);
  const times = taken.reduce((sum, [, count]) => sum + count, 0);
  return { name, times, taken: taken.toSorted(([, one], [, other]) => other - one).slice(0, 4) };
}).toSorted((one, other) => other.times - one.times);

const total = rows.reduce((sum, { times }) => sum + times, 0);
console.log(`${words} words, ${NAMES.length} names.`);
console.log(`A name is heard by mistake ${((total / words / NAMES.length) * 1_000).toFixed(3)} times in 1,000 words.`);
for (const { name, times, taken } of rows.slice(0, 12))
  console.log(
    `${name.padEnd(12)}${String(times).padStart(6)}  ${taken.map(([word, count]) => `${word} ${count}`).join(', ')}`,
  );
