import Fastify, { type FastifyBaseLogger } from 'fastify';
import { expect, it } from 'vitest';
import { openLog } from './log.ts';

const SAID = 'my secret illness';

/** A failure as a provider's library throws it, behind our own. */
function failure(): Error {
  const theirs = Object.assign(new Error(`400 cannot speak "${SAID}"`), {
    code: 'invalid_input',
    error: { message: SAID },
    detail: `Failing row contains (${SAID}).`,
  });
  return Object.assign(new Error('The speech service rejected the request.', { cause: theirs }), {
    code: 'bad-request',
    body: { text: SAID },
  });
}

function logged(): { log: ReturnType<typeof openLog>; text: () => string } {
  let text = '';
  return { log: openLog('debug', { write: (line: string) => void (text += line) }), text: () => text };
}

it('names an error and what is behind it, and nothing that was said', () => {
  const { log, text } = logged();
  log.warn({ sessionId: 's', err: failure() }, 'A sentence could not be spoken.');
  expect(text()).not.toContain(SAID);
  expect(JSON.parse(text())).toMatchObject({
    sessionId: 's',
    err: {
      message: 'The speech service rejected the request.',
      code: 'bad-request',
      because: ['Error invalid_input'],
      stack: expect.stringContaining('log.test.ts'),
    },
  });
});

it('does not repeat a text that was not JSON', () => {
  const { log, text } = logged();
  try {
    JSON.parse(SAID);
  } catch (error) {
    expect((error as Error).message).toContain(SAID.slice(0, 8));
    log.warn({ err: error }, 'An answer could not be read.');
  }
  expect(text()).not.toContain(SAID.slice(0, 8));
  expect(JSON.parse(text())).toMatchObject({
    err: { type: 'SyntaxError', message: 'A text could not be read.', stack: expect.stringContaining('log.test.ts') },
  });
});

it('keeps content out of the requests of the HTTP server, too', async () => {
  const { log, text } = logged();
  const app = Fastify({ loggerInstance: log as unknown as FastifyBaseLogger });
  app.get('/', async (request) => {
    request.log.error({ err: failure() }, 'request failed');
    throw failure();
  });
  await app.inject('/');
  expect(text()).toContain('request failed');
  expect(text()).not.toContain(SAID);
});
