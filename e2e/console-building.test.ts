import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { McpServer } from '@modelcontextprotocol/server';
import type { Locator } from 'playwright-core';
import { z } from 'zod';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { mcpService, type McpService } from '../engine/tools/mcp/testing/mcp-service.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import { fieldProblem, hasFocus } from './support/field-problem.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

/** Somebody makes what a persona needs only by clicking. Webhook, LLM and MCP server are servers of the test. */
describe('building in the console', () => {
  let service: ServiceAccess;
  let server: Server;
  let address: string;
  let weather: McpService;
  const received: string[] = [];

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''} ${body}`);
      if (request.url === '/rooms') {
        response.end('{"free":["Sea","Garden"]}');
        return;
      }
      // A streamed chat completion: https://platform.openai.com/docs/api-reference/chat-streaming
      response.setHeader('content-type', 'text/event-stream');
      const piece = (delta: object, finish: string | null) =>
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
      response.end(`${piece({ role: 'assistant', content: 'Yes' }, null)}${piece({}, 'stop')}data: [DONE]\n\n`);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    weather = await mcpService(weatherTools, {
      before(request, response) {
        if (request.headers.authorization === 'Bearer sky') return false;
        response.writeHead(401).end();
        return true;
      },
    });
    service = await sharedService();
  });
  afterAll(async () => {
    server?.close();
    weather?.close();
  });
  const browser = sharedBrowser(async () => {
    const launched = await launchBrowser();
    await launched.page.goto(`${service.url}/#key=${service.apiKey}`);
    await launched.page.getByRole('article').first().waitFor();
    return launched;
  });

  it('makes a webhook tool, runs it with arguments, and shows what it answers', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'Tools', exact: true }).click();
    await page.getByRole('link', { name: 'New tool' }).click();
    await page.getByLabel('Name', { exact: true }).fill('free_rooms');
    await page.getByLabel('When to use it').fill('Tells which rooms are free.');
    await page.getByLabel('URL').fill(`http://${address}/rooms`);
    await page.getByLabel('Headers').fill('Authorization: Bearer hotel');
    await page.getByRole('button', { name: 'Add an argument' }).click();
    await page.getByLabel('Argument', { exact: true }).fill('guests');
    await page.getByLabel('Kind', { exact: true }).selectOption('integer');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Test' }).waitFor();
    await page.getByRole('form', { name: 'Test' }).getByLabel('guests').fill('2');
    await page.getByRole('button', { name: 'Run the tool' }).click();
    await page.getByText('{"free":["Sea","Garden"]}').waitFor();
    expect(received.at(-1)).toBe('POST /rooms Bearer hotel {"guests":2}');
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it.each([
    ['a tool', 'tools/new', 'Create', { Name: 'inside', 'When to use it': 'Never.', URL: 'http://10.0.0.1/' }, 'URL'],
    ['an LLM', 'llms/new', 'Save', { Name: 'In', Model: 'm', URL: 'http://10.0.0.1/v1', Key: 'k' }, 'URL'],
    ['an MCP server', 'mcp-servers/new', 'Save', { Name: 'In', URL: 'http://10.0.0.1/mcp' }, 'URL'],
    ['a knowledge group', 'knowledge/new', 'Create', { Name: ' ' }, 'Name'],
    ['an API key', 'api-keys', 'Create key', { Name: ' ' }, 'Name'],
  ] as const)('says beside the field what is wrong with %s, and keeps what was entered', async (...form) => {
    const [, fragment, save, values, wrong] = form;
    const { page } = browser;
    const field = (label: string): Locator => page.getByLabel(label, { exact: true });
    const button = page.getByRole('button', { name: save, exact: true });
    await page.goto(`${service.url}/#/${fragment}`);
    // What the browser can see is not sent.
    await button.click();
    await expect.poll(() => fieldProblem(field('Name'))).toBe('Fill in “Name”.');
    await expect.poll(() => hasFocus(field('Name'))).toBe(true);
    for (const [label, value] of Object.entries(values)) await field(label).fill(value);
    expect(await fieldProblem(field('Name'))).toBe(null);
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'One field needs a change.' }).waitFor();
    await expect.poll(() => fieldProblem(field(wrong))).toBeTruthy();
    await expect.poll(() => hasFocus(field(wrong))).toBe(true);
    for (const [label, value] of Object.entries(values)) expect(await field(label).inputValue(), label).toBe(value);
    expect(await accessibilityProblems(page)).toEqual([]);
    await field(wrong).press('End');
    await field(wrong).press('x');
    expect(await fieldProblem(field(wrong))).toBe(null);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('uploads a document, and shows what a question finds in it', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'Knowledge', exact: true }).click();
    await page.getByRole('link', { name: 'New group' }).click();
    await page.getByLabel('Name', { exact: true }).fill('House rules');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('Add documents').setInputFiles([
      { name: 'house.md', mimeType: 'text/markdown', buffer: Buffer.from('Breakfast is served from seven to ten.') },
      { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('This is no PDF.') },
      { name: 'plan.pages', mimeType: '', buffer: Buffer.from('PK') },
    ]);
    await page.getByText('plan.pages is a document of Pages, Numbers or Keynote: export it as PDF').waitFor();
    const house = page.getByRole('listitem').filter({ hasText: 'house.md' });
    await house.getByText('Ready').waitFor();
    await page.getByRole('button', { name: 'Delete house.md' }).click();
    const undo = page.getByRole('button', { name: 'Undo the deletion of house.md' });
    // There it waits.
    await undo.hover();
    await house.waitFor({ state: 'detached' });
    expect(await accessibilityProblems(page)).toEqual([]);
    await undo.click();
    await house.getByText('Ready').waitFor();
    await page.getByText('broken.pdf').waitFor();
    await page.getByLabel('Question').fill('When is breakfast?');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('article').getByText('Breakfast is served from seven to ten.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  it('says why an MCP server cannot be used', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'MCP servers' }).click();
    await page.getByRole('link', { name: 'New server' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByLabel('URL').fill(`http://${address}/rooms`);
    await page.getByRole('button', { name: 'Save and list its tools' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Shop' }).waitFor();
  });

  it('adds an MCP server, lists its tools, runs one, and keeps those that personas may use', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'MCP servers' }).click();
    await page.getByRole('link', { name: 'New server' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Weather');
    await page.getByLabel('URL').fill(weather.url);
    await page.getByLabel('How Parley signs in').selectOption({ label: 'With a token' });
    await page.getByLabel('Token').fill('sky');
    await page.getByRole('button', { name: 'Save and list its tools' }).click();
    await page.getByRole('heading', { name: '2 tools' }).waitFor();
    await page.getByText('Tells how warm it is in a city.').waitFor();
    const tool = page.getByRole('form', { name: 'Test of temperature' });
    await page.getByText('Try it: temperature').click();
    await tool.getByLabel('city').fill('Lisbon');
    await tool.getByLabel('unit').selectOption('celsius');
    await tool.getByRole('button', { name: 'Run the tool' }).click();
    await tool.getByText('It is 21 °celsius in Lisbon.').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByText('Try it: broken').click();
    const broken = page.getByRole('form', { name: 'Test of broken' });
    await broken.getByRole('button', { name: 'Run the tool' }).click();
    await broken.getByText('The thermometer fell down.').waitFor();
    await broken.getByRole('status').filter({ hasText: 'Failed' }).waitFor();

    await page.getByRole('checkbox', { name: 'broken' }).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Weather' }).waitFor();
    const { data } = await service.api<{ data: { name: string; allowedTools: string[] | null }[] }>(
      'GET',
      '/v1/mcp-servers?search=Weather',
    );
    expect(data).toMatchObject([{ name: 'Weather', allowedTools: ['temperature'], auth: { type: 'bearer' } }]);
  });

  it('adds an LLM, and checks that it answers', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'LLMs', exact: true }).click();
    await page.getByRole('link', { name: 'New LLM' }).click();
    await page.getByLabel('Name', { exact: true }).fill('House model');
    await page.getByLabel('Model', { exact: true }).fill('house-8b');
    // As a local server prints it.
    await page.getByLabel('URL').fill(`${address}/v1`);
    await page.getByLabel('Key', { exact: true }).fill('sk-house');
    await page.getByRole('button', { name: 'Save and check the connection' }).click();
    await page.getByText('It answers.').waitFor();
    expect(received.at(-1)).toMatch(/^POST \/v1\/chat\/completions Bearer sk-house .*"model":"house-8b"/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'House model' }).waitFor();
  });

  it('makes an API key, shows it once, and revokes it', async () => {
    const { page } = browser;
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Web site');
    const mayUse = (scope: string) => page.getByRole('checkbox', { name: scope, exact: true });
    expect(await mayUse('session-tokens').isChecked()).toBe(true);
    expect(await mayUse('personas').isChecked()).toBe(false);
    await page.getByLabel('What it is for').selectOption('Programs that build personas, tools and knowledge');
    expect(await mayUse('personas').isChecked()).toBe(true);
    expect(await mayUse('admin').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.locator('.secret').innerText()).trim();
    const ask = async (): Promise<number> =>
      (await fetch(`${service.url}/v1/personas`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await ask()).toBe(200);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.getByText(key).count()).toBe(0);
    const revoke = page.getByRole('button', { name: 'Revoke Web site' });
    const question = page.getByRole('dialog', { name: 'Revoke Web site?' });
    await revoke.click();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await ask()).toBe(200);
    await revoke.click();
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Web site' }).getByText('Revoked').waitFor();
    await expect.poll(ask).toBe(401);
  });

  it('stops a live conversation, and counts it in the usage', async () => {
    const { page } = browser;
    const { data } = await service.api<{ data: { id: string }[] }>('GET', '/v1/avatars?perPage=1');
    await service.api('POST', '/v1/engine/session', { personaConfig: { name: 'Elena', avatarId: data[0]?.id } });
    await page.getByRole('link', { name: 'Sessions', exact: true }).click();
    await page.getByRole('button', { name: 'Stop the conversation with Elena' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByRole('heading', { name: /^Live now/ }).waitFor({ state: 'detached' });
    // In the list; the filter has it, too.
    await page.getByText('Stopped', { exact: true }).and(page.locator(':not(option)')).waitFor();
    await page.getByLabel('All of this page').check();
    await page.getByRole('button', { name: 'Delete the content of 1' }).click();
    const undo = page.getByRole('button', { name: /^Undo/ });
    await undo.focus();
    await page.getByText('Content deleted').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await undo.press('Enter');
    await page.getByText('Content deleted').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.locator('.chart canvas').first().waitFor();
    const figure = page.locator('.figures div').filter({ hasText: 'Sessions' });
    expect(await figure.locator('dd').innerText()).toBe('1');
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});

function weatherTools(server: McpServer): void {
  const inputSchema = z.object({ city: z.string(), unit: z.enum(['celsius', 'fahrenheit']).optional() });
  server.registerTool(
    'temperature',
    { description: 'Tells how warm it is in a city.', inputSchema },
    ({ city, unit }) => ({ content: [{ type: 'text', text: `It is 21 °${unit} in ${city}.` }] }),
  );
  server.registerTool('broken', { description: 'Never works.' }, () => ({
    content: [{ type: 'text', text: 'The thermometer fell down.' }],
    isError: true,
  }));
}
