import { expect, it } from 'vitest';
import { VOICE_DETECTION_DEFAULTS } from '../settings/voice-options.ts';
import { violations } from '../testing/invariants.ts';
import { clientTool, systemTool, webhookTool } from '../testing/session-config.ts';
import { SimulatedSession } from '../testing/simulated-session.ts';

const HOUR_MS = 3_600_000;

/** An hour of talking, pausing, interrupting, calling tools and being silent, always the same. */
function anHour(): SimulatedSession {
  const s = new SimulatedSession({
    config: {
      tools: [webhookTool('search'), clientTool('show'), systemTool('pause_conversation'), systemTool('skip_turn')],
      voiceDetection: {
        ...VOICE_DETECTION_DEFAULTS,
        silenceBeforeSkipTurnSeconds: 20,
        silenceBeforeSessionEndSeconds: 600,
      },
    },
  }).connect();
  s.engine.answer = (question) => {
    const last = question.messages.at(-1);
    if (last?.role === 'tool') return { text: 'That is what I found for you.' };
    if (last?.content === 'look it up') return { text: 'One moment.', calls: [{ name: 'search' }, { name: 'show' }] };
    if (last?.content === 'give me a break')
      return { text: 'Sure.', calls: [{ name: 'pause_conversation', args: { duration_seconds: 300 } }] };
    return { text: 'Well, there are several ways to see this. One of them is the usual one. Another is new.' };
  };
  while (s.clock.now() < HOUR_MS) {
    s.speak('what do you think of that').wait(3_000).speak('mm-hm', 350).wait(6_000);
    s.speak('look it up').wait(2_000);
    const call = s.messages('toolCallStarted').findLast((message) => message.data.tool_name === 'show');
    s.dispatch({ type: 'client.toolResult', toolCallId: call?.data.tool_call_id ?? '', result: 'ok', error: null });
    s.wait(5_000)
      .speak('and what about')
      .wait(500)
      .speak('the other one')
      .wait(3_500)
      .speak('stop that is enough', 1_000)
      .wait(6_000);
    s.cough(300).wait(70_000);
    s.speak('give me a break').mute().wait(200_000).unmute().speak('I am back').wait(6_000);
    s.mute().dispatch({ type: 'peer.quiet' });
    s.wait(9_000).dispatch({ type: 'peer.flowing', quietMs: 12_000 });
    s.unmute().type('and by hand').wait(8_000);
  }
  return s;
}

const first = anHour();

it('an hour of conversation keeps its rules, and is the same hour the second time', () => {
  expect(violations(first.commands)).toEqual([]);
  expect(first.performed('session.close')).toEqual([]);
  expect(first.transcript().length).toBeGreaterThan(80);
  expect(first.messages('toolCallStarted').length).toBeGreaterThan(20);
  expect(anHour().commands).toEqual(first.commands);
});

it('the flight log of an hour alone leads to the same commands', async () => {
  const { createSession } = await import('./create-session.ts');
  const { SteppingClock } = await import('../kernel/stepping-clock.ts');
  const { countingIds } = await import('../testing/simulated-session.ts');
  const clock = new SteppingClock();
  const replayed: unknown[] = [];
  const session = createSession({
    config: first.config,
    clock,
    ids: countingIds(),
    startedAtWall: Date.UTC(2026, 0, 1),
    endOfTurnModelAvailable: false,
    perform: (command) => replayed.push(command),
  });
  for (const { at, event } of first.recorded) {
    clock.advanceTo(at);
    session.dispatch(event);
  }
  clock.advanceTo(first.clock.now());
  expect(replayed).toEqual(first.commands.map((entry) => entry.command));
});
