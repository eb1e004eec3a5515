import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../engine/testing/browser.ts';
import { sharedBrowser } from '../engine/testing/shared-browser.ts';
import { accessibilityProblems } from './support/accessibility.ts';
import { hasFocus } from './support/field-problem.ts';
import { delayResponse } from './support/delay-response.ts';
import { personaEditor } from './support/persona-editor.ts';
import type { ServiceAccess } from './support/service.ts';
import { sharedService } from './support/shared-service.ts';

type Persona = Record<string, unknown> & { readonly id: string };

/** Somebody makes, changes, copies and deletes a persona only by clicking. */
describe('the persona editor of the console', () => {
  let service: ServiceAccess;
  let page: Page;

  beforeAll(async () => {
    service = await sharedService();
    await service.api('POST', '/v1/mcp-servers', { name: 'Shop', url: 'https://shop.example.com/mcp' });
    for (let number = 1; number <= 7; number++)
      await service.api('POST', '/v1/tools', {
        name: `show_page_${number}`,
        description: 'Shows a page of the catalogue.',
        type: 'CLIENT',
      });
  });
  sharedBrowser(async () => {
    const launched = await launchBrowser();
    ({ page } = launched);
    await page.goto(`${service.url}/#key=${service.apiKey}`);
    await page.getByRole('article').first().waitFor();
    return launched;
  });

  const { part, field, button } = personaEditor(() => page);
  /** Finds it by its name, hears it, and takes it, with the keyboard alone. */
  const chooseVoice = async (name: string): Promise<void> => {
    await button('Change the voice').press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Choose a voice' });
    await expect.poll(() => hasFocus(dialog.getByLabel('Search'))).toBe(true);
    await page.keyboard.type(name);
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    // On a busy machine it would be over before anybody looks.
    const sample = await delayResponse(page, 'GET', /^\/files\/voice-samples\//);
    await dialog.getByRole('button', { name: `Play the sample of ${name}` }).press('Enter');
    await dialog.getByRole('button', { name: `Stop the sample of ${name}` }).waitFor();
    await sample.release();
    await dialog.getByRole('button', { name: `Choose ${name}` }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('group', { name: 'Voice' }).getByText(name, { exact: true }).waitFor();
    await expect.poll(() => hasFocus(button('Change the voice'))).toBe(true);
  };
  const savedPersona = async (name: string): Promise<Persona> => {
    const { data } = await service.api<{ data: Persona[] }>('GET', `/v1/personas?search=${encodeURIComponent(name)}`);
    return service.api<Persona>('GET', `/v1/personas/${data[0]?.id}`);
  };

  it('creates a persona with everything that it has, and shows all of it again after a reload', async () => {
    await page.getByRole('link', { name: 'New persona' }).click();
    await field('Name').fill('Elena');
    await page.getByRole('radio', { name: 'Marcus' }).check({ force: true });
    await field('Avatar model').selectOption('cara-4');
    await chooseVoice('Russell');
    await button('New LLM').click();
    const making = page.getByRole('dialog', { name: 'New LLM' });
    await expect.poll(() => hasFocus(making.getByLabel('Name', { exact: true }))).toBe(true);
    await making.getByLabel('Name', { exact: true }).fill('House model');
    await making.getByLabel('Model', { exact: true }).fill('house-8b');
    await making.getByLabel('URL').fill('https://llm.example.com/v1');
    await making.getByLabel('Key', { exact: true }).fill('sk-house');
    await making.getByRole('button', { name: 'Save', exact: true }).click();
    await making.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(button('New LLM'))).toBe(true);
    expect(await field('Name').inputValue()).toBe('Elena');
    await field('Language').selectOption('de');
    await field('Personality').fill('Dry humor.');
    await page.getByRole('radio', { name: 'The persona says the words below' }).check();
    await field('First words').fill('Good evening.');
    await field('Users cannot interrupt the greeting').check();

    await part('Tools and knowledge');
    await button('New knowledge group').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('House rules');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog
      .getByLabel('Add documents')
      .setInputFiles([
        { name: 'house.md', mimeType: 'text/markdown', buffer: Buffer.from('Breakfast is served from seven to ten.') },
      ]);
    await dialog.getByText('Ready').waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const slowGroups = await delayResponse(page, 'GET', /^\/v1\/knowledge\/groups$/);
    await dialog.getByRole('button', { name: 'Done' }).click();
    // It was "A knowledge group that was deleted" until the list came, which moved all below it.
    const known = page.getByRole('list', { name: 'Knowledge of this persona' });
    await known.getByRole('link', { name: 'House rules' }).waitFor();
    await slowGroups.release();
    await button('New tool').click();
    await dialog.getByLabel('Kind of tool').selectOption({ label: 'In your page' });
    await dialog.getByLabel('Name').fill('show_map');
    await dialog.getByLabel('When to use it').fill('Shows a place on the map.');
    const slow = await delayResponse(page, 'GET', /^\/v1\/tools$/);
    await dialog.getByRole('button', { name: 'Create' }).click();
    // It came with the loaded list, which so grew while the next tool was clicked: the click went astray.
    await page.getByRole('link', { name: 'show_map' }).waitFor();
    await page.getByRole('searchbox', { name: 'Find a tool' }).fill('page_7');
    await button('Add show_page_7').click();
    await slow.release();
    await button('Add Shop').click();

    await part('Behavior');
    await field('Quickness to answer').press('ArrowRight');
    await field('Ends after').press('Home');
    await field('Style').selectOption({ label: 'Warm' });
    await part('Voice');
    await field('Speed').press('ArrowRight');
    await button('Add a word').click();
    await field('Word or name').fill('Siobhan');
    await field('Said like').fill('Shivawn');
    await part('Privacy');
    await field('Record conversations').uncheck();
    await field('Longest conversation, in minutes').fill('2.5');
    await part('Widget');
    await field('Call to action').fill('Ask the hotel');
    await page.getByRole('region', { name: 'Preview of the widget' }).getByText('Ask the hotel').waitFor();
    await button('Create').click();
    await page.getByRole('heading', { level: 1, name: 'Elena', exact: true }).waitFor();

    const saved = await savedPersona('Elena');
    expect(saved).toMatchObject({
      avatar: { displayName: 'Marcus' },
      avatarModel: 'cara-4',
      voice: { displayName: 'Russell' },
      languageCode: 'de',
      brain: { personality: 'Dry humor.' },
      initialMessage: 'Good evening.',
      uninterruptibleGreeting: true,
      voiceDetectionOptions: { endOfSpeechSensitivity: 0.55, silenceBeforeSessionEndSeconds: 0 },
      directorNotes: { presetStyle: 'warm' },
      voiceGenerationOptions: { speed: 1.05, pronunciations: [{ word: 'Siobhan', say: 'Shivawn' }] },
      enableSessionReplay: false,
      maxSessionLengthSeconds: 150,
      widgetConfig: { callToAction: 'Ask the hotel' },
      knowledge: [{ name: 'House rules' }],
    });
    expect((saved['tools'] as { name: string }[]).map(({ name }) => name)).toEqual([
      'show_map',
      'show_page_7',
      'search_house_rules',
    ]);

    await page.reload();
    await part('Basics');
    expect(await page.getByRole('radio', { name: 'Marcus' }).isChecked()).toBe(true);
    const values = {
      Name: 'Elena',
      'Avatar model': 'cara-4',
      Language: 'de',
      Personality: 'Dry humor.',
      'First words': 'Good evening.',
    };
    for (const [label, value] of Object.entries(values)) expect(await field(label).inputValue(), label).toBe(value);
    expect(await field('LLM').locator('option:checked').innerText()).toBe('House model');
    await part('Tools and knowledge');
    for (const [list, names] of [
      ['Knowledge', ['House rules']],
      ['Tools', ['show_map', 'show_page_7']],
      ['MCP servers', ['Shop']],
    ] as const)
      await expect
        .poll(() =>
          page
            .getByRole('list', { name: `${list} of this persona` })
            .getByRole('link')
            .allInnerTexts(),
        )
        .toEqual(names);
    await part('Behavior');
    expect(await field('Ends after').getAttribute('aria-valuetext')).toBe('never');
    expect(await field('Style').inputValue()).toBe('warm');
    await part('Voice');
    expect(await field('Speed').getAttribute('aria-valuetext')).toBe('1.05 ×');
    expect(await field('Said like').inputValue()).toBe('Shivawn');
    await part('Privacy');
    expect(await field('Record conversations').isChecked()).toBe(false);
    expect(await field('Longest conversation, in minutes').inputValue()).toBe('2.5');
    await part('Widget');
    expect(await field('Call to action').inputValue()).toBe('Ask the hotel');
  });

  it('begins the next new persona empty: what was just created is no unsaved change', async () => {
    const elena = page.url();
    await page.goto(`${service.url}/#/personas/new`);
    await page.getByRole('heading', { level: 1, name: 'New persona' }).waitFor();
    expect(await field('Name').inputValue()).toBe('');
    expect(await page.getByText('These changes are from before').count()).toBe(0);
    await page.goto(elena);
    await page.getByRole('heading', { level: 1, name: 'Elena', exact: true }).waitFor();
  });

  it('begins a new persona with a template, and asks before it replaces what somebody wrote', async () => {
    const elena = page.url();
    await page.goto(`${service.url}/#/personas/new`);
    const template = (name: string) => page.getByRole('radio', { name });
    const prompt = () => field('Who is it, and what should it do?').inputValue();
    await expect.poll(() => template('Blank').isChecked()).toBe(true);
    const blank = await prompt();
    await template('Language tutor').check({ force: true });
    await expect.poll(prompt).toContain('You are a tutor for {{language}}.');
    expect(await accessibilityProblems(page)).toEqual([]);

    await field('Personality').fill('Sings.');
    await template('Blank').click({ force: true });
    await page.getByRole('dialog', { name: 'Replace what you wrote?' }).getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => template('Language tutor').isChecked()).toBe(true);
    expect(await field('Personality').inputValue()).toBe('Sings.');
    await template('Blank').click({ force: true });
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
    await expect.poll(prompt).toBe(blank);

    await template('Receptionist').check({ force: true });
    await field('Name').fill('Robin');
    await part('Variables');
    await field('Default').fill('Harbor Hotel');
    await button('Create').click();
    await page.getByRole('heading', { level: 1, name: 'Robin', exact: true }).waitFor();
    expect(await savedPersona('Robin')).toMatchObject({
      personaPreset: 'receptionist',
      initialMessage: 'Welcome to {{company}}. How can I help you?',
      variables: [{ name: 'company', default: 'Harbor Hotel' }],
    });
    await page.goto(elena);
    await page.getByRole('heading', { level: 1, name: 'Elena', exact: true }).waitFor();
  });

  it('exports a persona as a file, and imports it with what it uses, or says what is not here', async () => {
    const elena = page.url();
    const [download] = await Promise.all([page.waitForEvent('download'), button('Export').click()]);
    expect(download.suggestedFilename()).toBe('elena.persona.json');
    const text = await readFile(await download.path(), 'utf8');
    const importFile = async (content: string): Promise<void> => {
      await page.goto(`${service.url}/#/personas/new`);
      const buffer = Buffer.from(content.replace('"name": "Elena"', '"name": "Elena of the file"'));
      await field('A file…').setInputFiles({ name: 'elena.persona.json', mimeType: 'application/json', buffer });
    };
    await importFile(text);
    await page.getByRole('heading', { level: 1, name: 'Elena of the file', exact: true }).waitFor();
    const { id, tools, ...imported } = await savedPersona('Elena of the file');
    expect(imported).toMatchObject({ avatar: { displayName: 'Marcus' }, initialMessage: 'Good evening.' });
    expect((tools as { name: string }[]).map(({ name }) => name)).toEqual([
      'show_map',
      'show_page_7',
      'search_house_rules',
    ]);

    await service.api('DELETE', `/v1/personas/${id}`);

    await importFile(text.replace('show_page_7', 'show_page_8'));
    const question = page.getByRole('dialog', { name: 'Import it without them?' });
    await question.getByText('Not here: the tool show_page_8.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await importFile('{}');
    await page.getByText('This file is no persona that was exported here.').waitFor();
    await page.goto(elena);
    await page.getByRole('heading', { level: 1, name: 'Elena', exact: true }).waitFor();
  });

  it('shows what is wrong beside its field, wherever one was', async () => {
    await part('Widget');
    await field('Web sites that may show it').fill('not a site/at all');
    await part('Voice');
    await field('Word or name').fill('');
    await part('Privacy');
    await button('Save draft').click();
    // The first part with a problem opens, and the keyboard stands in the field.
    await page.getByRole('heading', { level: 2, name: 'Voice', exact: true }).waitFor();
    await expect.poll(() => field('Word or name').evaluate((input) => input.matches(':focus'))).toBe(true);
    expect(await field('Word or name').getAttribute('aria-invalid')).toBe('true');
    expect(await accessibilityProblems(page)).toEqual([]);
    await field('Word or name').fill('Siobhan');
    await part('Widget');
    await page.locator('.field').filter({ hasText: 'Web sites that may show it' }).getByText('must be a').waitFor();
    await field('Web sites that may show it').fill('shop.example.com');
    await button('Save draft').click();
    await page.getByText('Draft saved.').waitFor();
    expect((await savedPersona('Elena'))['widgetConfig']).not.toHaveProperty('allowedOrigins');
    await button('Publish…').click();
    await page.getByRole('dialog').getByText('Widget', { exact: true }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await button('Publish').click();
    await page.getByText('Published as version').waitFor();
    expect((await savedPersona('Elena'))['widgetConfig']).toMatchObject({
      callToAction: 'Ask the hotel',
      allowedOrigins: ['https://shop.example.com'],
    });
  });

  it('keeps what is not saved, through other views and a reload, until it is discarded', async () => {
    await part('Basics');
    await field('Personality').fill('Never in a hurry.');
    await page.getByRole('link', { name: 'All personas' }).click();
    await page.getByRole('article').filter({ hasText: 'Elena' }).getByText('Unsaved changes').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Change Elena' }).click();
    await page.getByText('not saved yet').first().waitFor();
    expect(await field('Personality').inputValue()).toBe('Never in a hurry.');
    await button('Discard').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await field('Personality').inputValue()).toBe('Dry humor.');
    await page.reload();
    await field('Personality').waitFor();
    expect(await field('Personality').inputValue()).toBe('Dry humor.');
  });

  it('makes a copy, which is created when it is saved, and deletes it', async () => {
    await button('Duplicate').click();
    await page.getByRole('heading', { level: 1, name: 'New persona' }).waitFor();
    expect(await field('Name').inputValue()).toBe('Elena (copy)');
    await chooseVoice('Clara');
    await button('Create').click();
    await page.getByRole('heading', { level: 1, name: 'Elena (copy)' }).waitFor();
    const [copy, original] = [await savedPersona('Elena (copy)'), await savedPersona('Elena')];
    for (const same of [
      'toolIds',
      'mcpServerIds',
      'voiceGenerationOptions',
      'directorNotes',
      'maxSessionLengthSeconds',
    ])
      expect(copy[same], same).toEqual(original[same]);
    await button('Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete Elena (copy)?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('on https://shop.example.com').waitFor();
    await dialog.getByRole('button', { name: 'Delete all the same' }).click();
    await page.getByRole('heading', { name: 'Who would you like to talk to?' }).waitFor();
    await page.getByRole('link', { name: 'Change Elena', exact: true }).waitFor();
    expect(await page.getByRole('article').filter({ hasText: 'Elena (copy)' }).count()).toBe(0);
  });
});
