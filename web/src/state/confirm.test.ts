import { expect, it } from 'vitest';
import { openQuestion, confirm } from './confirm.ts';

const question = { title: 'Revoke Web site?', text: 'Programs that use it stop working.', yes: 'Revoke' };

it('is answered once, and closes', async () => {
  for (const isYes of [true, false]) {
    const answer = confirm(question);
    expect(openQuestion.value).toMatchObject(question);
    openQuestion.value!.answer(isYes);
    expect(openQuestion.value).toBeNull();
    expect(await answer).toBe(isYes);
  }
});

it('is a no when another question comes', async () => {
  const first = confirm(question);
  const second = confirm({ ...question, title: 'Revoke another one?' });
  expect(await first).toBe(false);
  expect(openQuestion.value?.title).toBe('Revoke another one?');
  openQuestion.value!.answer(true);
  expect(await second).toBe(true);
});
