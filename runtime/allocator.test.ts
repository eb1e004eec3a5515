import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROCESS = fileURLToPath(new URL('testing/large-blocks.ts', import.meta.url));

async function mappedBlocks(how: 'bounded' | 'as it is'): Promise<unknown> {
  const [count] = await once(fork(PROCESS, [how]), 'message');
  return count;
}

/** The allocator kept what encoders and frames had used, of those who had left and of the start. */
it('what is large goes back to the system when it is freed, also after the first of its size', async () => {
  expect(await Promise.all([mappedBlocks('as it is'), mappedBlocks('bounded')])).toEqual([0, 1]);
});
