import { setTimeout as pause } from 'node:timers/promises';
import { callApi, type ServiceAddress } from '../../lib/call-api.ts';
import { startSession } from '../../lib/conversation.ts';
import { openHeadlessConversation } from '../../lib/headless-conversation.ts';
import { Counts, repeat, type Disturbance } from './disturbance.ts';
import type { Pace } from './pace.ts';

/** Longest stay of a visitor, ms. */
const STAY_MS = 6_000;

/** Visitors one after the other: some say goodbye, some disappear, some never connect. */
export function startChurn(service: ServiceAddress, { awayMs }: Pace): Disturbance {
  const counts = new Counts();
  return repeat(counts, async (signal) => {
    await pause(Math.random() * awayMs, null, { signal });
    const kind = Math.random();
    if (kind < 0.2) {
      await startSession(service);
      return counts.add('visitors who never connected');
    }
    const visitor = await openHeadlessConversation(service);
    visitor.say('Hello, who are you?');
    await pause(Math.random() * STAY_MS);
    if (kind > 0.6) await callApi(service, 'POST', `/v1/sessions/${visitor.sessionId}/stop`);
    visitor.close();
    counts.add(kind > 0.6 ? 'visitors who were stopped' : 'visitors who vanished');
  });
}
