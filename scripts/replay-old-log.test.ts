import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { replay } from '../actors/session/replay.ts';
import { decodeLog } from '../actors/recorder/session-log.ts';

/**
 * Written by the last software that wrote version 1: a greeting, a tool, an interruption, typed text, an LLM that
 * fails.
 */
const text = readFileSync(new URL('testing/session-of-version-1.jsonl', import.meta.url), 'utf8');

test('a log of version 1 is read in the names of today', () => {
  expect(text).toContain('"mind.text"');
  expect(text).toContain('"hearing.final"');
  const { header, entries } = decodeLog(text);
  expect(header.version).toBe(1);
  expect(header.config).toMatchObject({ llm: { kind: 'service' } });
  expect(header.config).not.toHaveProperty('mind');
  const types = entries.map((entry) => (entry.kind === 'event' ? entry.event.type : entry.type));
  expect(types).toEqual(
    expect.arrayContaining([
      'vad.window',
      'stt.partial',
      'stt.final',
      'llm.text',
      'llm.done',
      'llm.failed',
      'llm.request',
      'stt.finish',
    ]),
  );
  expect(types.filter((type) => /^(mind|hearing)\./.test(type))).toEqual([]);
});

/**
 * Here "mm-hm" during the persona's answer was forgotten. Since then the transcript keeps what the persona heard and did not
 * answer, with a mark.
 */
const RULE_CHANGED_AT = '[7520,"w",0.95,-25,7520]';

test('a log of version 1 replays to the decisions that it recorded', () => {
  expect(text).toContain(RULE_CHANGED_AT);
  const { difference, events, commands } = replay(decodeLog(text.slice(0, text.indexOf(RULE_CHANGED_AT))));
  expect(difference).toBeNull();
  expect(events).toBeGreaterThan(250);
  expect(commands).toBeGreaterThan(20);
});

test('another command than the recorded one still shows', () => {
  const lines = text.split('\n');
  const typed = lines.findIndex((line) => line.includes('client.text'));
  expect(replay(decodeLog(lines.toSpliced(typed, 1).join('\n'))).difference).not.toBeNull();
});
