import { expect, it } from 'vitest';
import { testConfig, webhookTool } from '../testing/session-config.ts';
import { countingIds, SimulatedSession } from '../testing/simulated-session.ts';
import { openingRequest } from './opening-request.ts';

const fixed = { skip: false, initialMessage: 'Welcome to the museum.', uninterruptible: false };

/** A server that reads the prompt only at the first question lets the user wait for it, on a CPU for many seconds. */
it('is the beginning of the first request', () => {
  const config = { tools: [webhookTool('look')], greeting: fixed, languageCode: 'de' };
  const s = new SimulatedSession({ config }).connect();
  s.wait(5_000).type('When does the tower open?').wait(5_000);
  const [first] = s.engine.questions;
  const opening = openingRequest(testConfig(config), countingIds());
  expect(opening?.tools.map(({ name }) => name)).toEqual(first?.tools);
  expect(opening?.messages).toEqual(first?.messages.slice(0, -1));
});

it('is not known where the LLM makes the greeting, and is asked at once', () => {
  expect(openingRequest(testConfig({ greeting: { ...fixed, initialMessage: null } }), countingIds())).toBeNull();
});
