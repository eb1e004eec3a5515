import { describe, expect, test } from 'vitest';
import { seededIds } from '../kernel/seeded-ids.ts';
import type { ToolDefinition } from '../session-config.ts';
import { SimulatedMeeting } from '../testing/simulated-meeting.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';
import { FlightRecorder } from '../recorder/flight-recorder.ts';
import { replay } from './replay.ts';
import { roundEvent } from '../kernel/round-event.ts';
import { BadLogError, decodeLog, encodeEntry, type LogHeader } from '../recorder/session-log.ts';

const webhook: ToolDefinition = {
  kind: 'webhook',
  name: 'stock',
  description: 'Says what is in stock.',
  parameters: { type: 'object', properties: {} },
  disableInterruptions: false,
  url: 'https://shop.example.com/stock?key=canary',
  method: 'POST',
  headers: { authorization: 'Bearer canary' },
  bodyTemplate: null,
  queryParameters: null,
  awaitResponse: true,
};

/**
 * A few minutes with everything in them: greeting, turns, a tool, an interruption, a nod, silence, typed text, the end.
 */
function conversation(): { readonly session: SimulatedSession; readonly log: string } {
  const session = new SimulatedSession({
    ids: seededIds('seed'),
    config: { tools: [webhook], greeting: { skip: false, initialMessage: 'Hello, I am Ada.', uninterruptible: false } },
  });
  session.engine.answer = (question, index) =>
    index === 1 && question.tools.includes('stock')
      ? { text: 'Let me look.', calls: [{ name: 'stock' }] }
      : { text: 'There are several things to say about this, and the first one is rather long indeed.' };
  session.connect().wait(3000).speak('what do you have in stock').wait(2600);
  session.speak('mm-hm', 300).wait(500).speak('stop please I meant something else').wait(9000);
  session.type('and by text').wait(30_000);
  session.speak('thank you').wait(90_000);
  return { session, log: logOf(session) };
}

/** A group that talks, asks, interrupts, and gets smaller. */
function groupTalk(): SimulatedSession {
  const meeting = new SimulatedMeeting({ ids: seededIds('seed'), skewMs: 150 });
  meeting.session.engine.answer = () => ({ text: 'There are several things to say about this, and I say them all.' });
  meeting.say('Alice', 'we ship on friday.').wait(300).say('Bob', 'Elena what do you think').wait(2_500);
  meeting.say('Alice', 'no wait').wait(2_000).say('Bob', 'and what about monday').wait(6_000);
  return meeting.leaves('Bob').say('Alice', 'thank you').wait(90_000).session;
}

function logOf(session: SimulatedSession): string {
  const lines: string[] = [];
  const recorder = new FlightRecorder(header(session), (line) => lines.push(line));
  // The host writes both as they come; here they are merged by time, which is the same order.
  const commands = [...session.commands];
  for (const recorded of session.recorded) {
    for (let next = commands[0]; next !== undefined && next.at < recorded.at; next = commands[0])
      recorder.command((commands.shift() ?? next).command);
    recorder.event(recorded);
  }
  for (const { command } of commands) recorder.command(command);
  return lines.join('');
}

function header(session: SimulatedSession): Omit<LogHeader, 'log' | 'version'> {
  return {
    software: 'test',
    startedAt: '2026-01-01T00:00:00.000Z',
    idSeed: 'seed',
    endOfTurnModelAvailable: false,
    config: session.config,
  };
}

describe('the flight recorder', () => {
  const { session, log } = conversation();

  test('a replay of the log makes the same decisions', () => {
    const result = replay(decodeLog(log));
    expect(result.difference).toBeNull();
    expect(result.commands).toBe(session.commands.length);
    expect(result.decisions.map(({ command }) => command)).toEqual(session.commands.map(({ command }) => command));
    expect(result.events).toBeGreaterThan(1000);
  });

  test('so does a replay of a meeting', () => {
    const talk = groupTalk();
    const result = replay(decodeLog(logOf(talk)));
    expect(result.difference).toBeNull();
    expect(result.commands).toBe(talk.commands.length);
    expect(talk.reports('message').map(({ message }) => message.speaker)).toEqual(
      expect.arrayContaining(['Alice', 'Bob', undefined]),
    );
  });

  /**
   * The voice was cut by the last words, in the instant at which the turn was over as well: the answer of `speech.cut`, which
   * comes from inside, was handled before the end of the turn, and in the replay after it.
   */
  test('so does a replay of an interruption whose last words come when its turn is over', () => {
    for (let finalMs = 100; finalMs <= 1_000; finalMs += 50) {
      const session = new SimulatedSession({ ids: seededIds('seed'), delays: { finalMs } });
      session.engine.answer = () => ({
        text: 'There are several things to say about this, and I say them all to you.',
      });
      session.connect().speak('what do you know about cards').wait(2_500);
      session.speak('ten of clubs', 640, { partials: false }).wait(9_000);
      expect(session.commands.map(({ command }) => command.type)).toContain('speech.cut');
      expect({ finalMs, difference: replay(decodeLog(logOf(session))).difference }).toEqual({
        finalMs,
        difference: null,
      });
    }
  });

  test('the conversation had what a replay can get wrong', () => {
    const types = new Set(session.commands.map(({ command }) => command.type));
    for (const type of [
      'llm.request',
      'tool.run',
      'speech.say',
      'speech.duck',
      'speech.cut',
      'session.close',
      'report',
    ] as const)
      expect(types).toContain(type);
  });

  test('a replay of another log says where they part', () => {
    const lines = log.split('\n');
    const typed = lines.findIndex((line) => line.includes('client.text'));
    const result = replay(decodeLog([...lines.slice(0, typed), ...lines.slice(typed + 1)].join('\n')));
    expect(result.difference).not.toBeNull();
    expect(result.difference?.recorded).not.toBeNull();
  });

  test('a changed setting shows as well', () => {
    const { header: written, entries } = decodeLog(log);
    const patient = {
      ...written,
      config: { ...written.config, voiceDetection: { ...written.config.voiceDetection, endOfSpeechSensitivity: 0 } },
    };
    expect(replay({ header: patient, entries }).difference).not.toBeNull();
  });

  test('a log that a killed process left behind is read up to its last whole line', () => {
    const whole = decodeLog(log);
    const cut = decodeLog(log.slice(0, -7));
    expect(cut.entries).toEqual(whole.entries.slice(0, -1));
    expect(replay(cut).difference).toBeNull();
  });

  test.each([
    [false, null],
    [true, { displayName: 'Ada', groupCall: true }],
  ])('reads a log from before there were meetings: groupCall %s', (groupCall, meeting) => {
    const [first = '', ...lines] = log.split('\n');
    const written = JSON.parse(first) as { config: Record<string, unknown> };
    const { meeting: _, ...before } = written.config;
    const old = [JSON.stringify({ ...written, config: { ...before, groupCall } }), ...lines].join('\n');
    const { header: read, entries } = decodeLog(old);
    expect(read.config).toEqual({ ...session.config, tools: read.config.tools, meeting });
    expect(read.config).not.toHaveProperty('groupCall');
    if (!groupCall) expect(replay({ header: read, entries }).difference).toBeNull();
  });

  test('keeps how much of a window is loud, and reads windows that do not tell', () => {
    const window = { type: 'vad.window', probability: 0.9, levelDb: -20, endsAt: 64 } as const;
    const entries = [window, { ...window, loudMs: 0 }, { ...window, loudMs: 12 }].map(
      (event) => ({ kind: 'event', at: 70, event }) as const,
    );
    const [header = ''] = log.split('\n');
    expect(decodeLog(`${[header, ...entries.map(encodeEntry)].join('\n')}\n`).entries).toEqual(entries);
  });

  test('holds no credentials of tools', () => {
    expect(log).not.toContain('canary');
  });

  test('a minute of listening stays small', () => {
    const windows = session.recorded.filter(({ event }) => event.type === 'vad.window').length;
    const bytes = log
      .split('\n')
      .filter((line) => line.includes('"w"'))
      .join('\n').length;
    expect(bytes / windows).toBeLessThan(48);
  });
});

describe('a log that is none', () => {
  test.each([
    ['empty', ''],
    ['another file', '{"hello":1}\n'],
    ['another version', '{"log":"parley-session","version":99}\n'],
    [
      'a broken line in the middle',
      `${JSON.stringify({ log: 'parley-session', version: 1, idSeed: 's', startedAt: '', config: {} })}\n[1,"client.hangUp"\n[2,"client.hangUp"]\n`,
    ],
  ])('%s is refused by line', (_, text) => {
    expect(() => decodeLog(text)).toThrow(BadLogError);
  });
});

test('numbers are rounded to what was measured, and stay numbers', () => {
  expect(roundEvent({ type: 'vad.window', probability: 0.123456789, levelDb: -31.4159, endsAt: 1234.56789 })).toEqual({
    type: 'vad.window',
    probability: 0.123,
    levelDb: -31.4,
    endsAt: 1234.57,
  });
  expect(roundEvent({ type: 'vad.window', probability: 0, levelDb: -Infinity, endsAt: 0 })).toMatchObject({
    levelDb: -1000,
  });
  expect(roundEvent({ type: 'vad.window', probability: 1, levelDb: -20, endsAt: 32, loudMs: 8 })).toMatchObject({
    loudMs: 8,
  });
  const other = { type: 'client.hangUp' } as const;
  expect(roundEvent(other)).toBe(other);
});
