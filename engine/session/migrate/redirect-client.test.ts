import { expect, it } from 'vitest';
import type { RevocationHandlers } from '../../ports.ts';
import { redirectClient } from './redirect-client.ts';

/** Runs `redirectClient` on a clock that only `pass` moves. */
function scene() {
  let now = 0;
  const due = new Map<() => void, number>();
  const events: string[] = [];
  const returned = Promise.withResolvers<void>();
  let client: RevocationHandlers | null = null;
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  void redirectClient(
    { revokeConsent: (handlers) => void (client = handlers) },
    {
      now: () => now,
      setTimeout(run: () => void, ms: number) {
        due.set(run, now + ms);
        return run as never;
      },
      clearTimeout: (run: unknown) => void due.delete(run as () => void),
    },
    { told: () => events.push(`told at ${now}`), returned: returned.promise },
  ).then(() => events.push(`leaves at ${now}`));
  return {
    events,
    returned,
    client: client! as RevocationHandlers,
    async pass(ms: number) {
      await settle();
      now += ms;
      for (const [run, at] of due) if (at <= now) run();
      await settle();
    },
  };
}

it('leaves when the client comes back, and not before', async () => {
  const { events, client, returned, pass } = scene();
  await pass(1_000);
  client.refused();
  await pass(50);
  client.reached();
  await pass(2_000);
  expect(events).toEqual(['told at 1000']);
  returned.resolve();
  await pass(10);
  expect(events).toEqual(['told at 1000', 'leaves at 3050']);
});

it('leaves at once when the client hears nothing any more', async () => {
  const { events, client, pass } = scene();
  client.refused();
  await pass(299);
  expect(events).toEqual(['told at 0']);
  await pass(1);
  expect(events).toEqual(['told at 0', 'leaves at 300']);
});

it('waits for a client neither to check nor to come back for ever', async () => {
  const silent = scene();
  await silent.pass(3_000);
  expect(silent.events).toEqual(['leaves at 3000']);
  const slow = scene();
  slow.client.refused();
  slow.client.reached();
  await slow.pass(1);
  await slow.pass(3_000);
  expect(slow.events).toEqual(['told at 0', 'leaves at 3001']);
});
