import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { MediaPorts } from '../../engine/transport/ice/refusing-ports.ts';
import type { LinkHandlers } from '../../runtime/link.ts';
import type { FromNode, ToNode } from './messages.ts';
import { NodeGuard } from './node-guard.ts';

const PORTS: MediaPorts = { ips: ['127.0.0.1'], udpPort: 8_000, key: new Uint8Array(32) };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A guard whose nodes are played by the test. What happens is told in order. */
function guarded() {
  const happened: string[] = [];
  const nodes: LinkHandlers<FromNode>[] = [];
  const guard = new NodeGuard({
    launch: (handlers) => {
      nodes.push(handlers);
      happened.push(`start ${nodes.length}`);
      return {
        post: ({ kind }: ToNode) => happened.push(kind),
        kill: () => {
          happened.push('kill');
          handlers.ended({ how: 'SIGKILL', error: null });
        },
      };
    },
    refuse: async () => {
      happened.push('refuse');
      return {
        close: async () => {
          await turn();
          happened.push('give back');
        },
      };
    },
    clock: Object.assign(new SimulatedClock(), { now: () => 0 }),
    log: { error: (_facts, message) => happened.push(message) },
    over: (status) => happened.push(`over ${status}`),
  });
  const serve = (): void => {
    for (const message of [{ kind: 'wantsPorts' }, { kind: 'hasPorts', ports: PORTS }, { kind: 'ready' }] as const)
      nodes.at(-1)!.message(message);
  };
  const end = (how: string): void => nodes.at(-1)!.ended({ how, error: null });
  return { guard, happened, nodes, serve, end };
}

it('refuses the clients of a node that died until the next one takes the port', async () => {
  const { happened, serve, end, nodes } = guarded();
  serve();
  await turn();
  end('SIGKILL');
  await turn();
  nodes.at(-1)!.message({ kind: 'wantsPorts' });
  await turn();
  await turn();
  expect(happened).toEqual([
    'start 1',
    'portsFree',
    'the node died and is started again',
    'start 2',
    'refuse',
    'give back',
    'portsFree',
  ]);
});

it('ends with a node that could not start, and leaves its status to whoever started the guard', async () => {
  const { happened, end } = guarded();
  end('exit 2');
  await turn();
  expect(happened).toEqual(['start 1', 'the node has ended and is not started again', 'over 2']);
});

it('stops and drains its node, and then ends itself', async () => {
  const { guard, happened, serve, end } = guarded();
  serve();
  await turn();
  guard.drain();
  guard.stop();
  end('exit 0');
  await turn();
  expect(happened).toEqual(['start 1', 'portsFree', 'drain', 'stop', 'over 0']);
});

it('kills a node that does not stop when it is asked again', async () => {
  const { guard, happened, serve } = guarded();
  serve();
  await turn();
  guard.stop();
  guard.kill();
  await turn();
  expect(happened).toEqual(['start 1', 'portsFree', 'stop', 'kill', 'over 1']);
});

it('ends when its node keeps dying', async () => {
  const { happened, serve, end, nodes } = guarded();
  serve();
  end('SIGSEGV');
  // The second death within a minute waits half a second for its restart; this one dies before it is ready.
  nodes.at(-1)!.message({ kind: 'wantsPorts' });
  end('SIGSEGV');
  await turn();
  await turn();
  expect(happened.at(-1)).toBe('over 1');
});
