import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { webhookTool } from '../../../actors/testing/session-config.ts';
import { eventually } from '../../testing/eventually.ts';
import { openLiveEngine, type LiveClient, type LiveEngine } from '../testing/live-engine.ts';
import { SkippedTime } from '../testing/skipped-time.ts';
import { speechModels, COUNT, GREETING } from '../testing/speech-models.ts';

const told = ({ messages }: LiveClient): string =>
  messages
    .filter(({ messageType, data }) => messageType === 'speechText' && data['role'] === 'persona')
    .map(({ data }) => String(data['content']))
    .join('');

const said = ({ entries }: LiveEngine): string[] =>
  entries.flatMap((entry) =>
    entry.kind === 'message' && entry.message.role === 'persona' ? [entry.message.text.trim()] : [],
  );

const words = (text: string): number => text.trim().split(/\s+/).length;

describe.each(Object.entries(speechModels))('%s', (_, openModel) => {
  it('greets, calls a tool, is interrupted and updated, is back after 8 s, and ends', async () => {
    const time = new SkippedTime();
    const model = await openModel(time);
    let asked = 0;
    const hook = createServer((_request, response) => {
      asked += 1;
      response.setHeader('content-type', 'application/json').end('{"at":"at nine"}');
    }).listen(0, '127.0.0.1');
    await once(hook, 'listening');
    onTestFinished(() => {
      hook.close();
      hook.closeAllConnections();
    });
    const live = await openLiveEngine({
      llm: model.llm,
      config: {
        greeting: { skip: false, initialMessage: GREETING, uninterruptible: false },
        tools: [webhookTool('opening_hours', { url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/` })],
        ...model.config,
      },
    });
    onTestFinished(() => live.close());
    const client = await live.connect();
    await eventually(() => expect(said(live)).toEqual([GREETING]));

    client.say('When do you open?');
    await eventually(() => expect(said(live).at(-1)).toBe('We open at nine.'));
    expect(asked).toBe(1);

    client.send('context', { content: 'The user looks at shoes.' });
    client.say('Please count.');
    await eventually(() => expect(told(client)).toContain('five'));
    client.send('interrupt', {});
    await eventually(() => expect(said(live).at(-1)).toMatch(/^One two/));
    const heard = said(live).at(-1)!;
    expect(words(heard)).toBeLessThan(words(COUNT));
    client.say('Thank you.');
    await eventually(() => expect(said(live).at(-1)).toBe('Fine, thank you.'));
    expect(model.knows()).toContain('The user looks at shoes.');
    // The session places words by their letters, the model by the sound.
    expect(Math.abs(words(model.heardCount()) - words(heard))).toBeLessThanOrEqual(2);

    const before = model.connections();
    model.away(true);
    model.cut();
    client.say('Are you there?');
    await eventually(() => expect(client.signals).toContain('warning'));
    // Another voice apologizes.
    await eventually(() => expect(said(live).at(-1)).not.toBe('Fine, thank you.'));
    for (let passed = 0; passed < 8_000; passed += 1_000) time.skip(1_000);
    model.away(false);
    time.skip(15_000);
    await eventually(() => expect(model.connections()).toBeGreaterThan(before));
    client.say('What is the capital?');
    await eventually(() => expect(said(live).at(-1)).toBe('The capital is Rome.'));
    expect(model.knows()).toMatch(/When do you open\?[^]*at nine[^]*Please count\.[^]*What is the capital\?/);
    expect(model.connections()).toBe(before + 1);

    live.engine.stopSession(live.sessionId, 'stopped_by_api');
    await eventually(() => expect(live.entries.map(({ kind }) => kind)).toContain('end'));
    await eventually(() => expect(model.isConnected()).toBe(false));
    time.skip(60_000);
    expect(model.connections()).toBe(before + 1);
  });
});
