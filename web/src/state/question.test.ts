import { expect, it } from 'vitest';
import { asked, confirmed } from './question.ts';

const question = { title: 'Revoke Web site?', text: 'Programs that use it stop working.', yes: 'Revoke' };

it('is answered once, and closes', async () => {
  for (const isYes of [true, false]) {
    const answer = confirmed(question);
    expect(asked.value).toMatchObject(question);
    asked.value!.answer(isYes);
    expect(asked.value).toBeNull();
    expect(await answer).toBe(isYes);
  }
});

it('is a no when another question comes', async () => {
  const first = confirmed(question);
  const second = confirmed({ ...question, title: 'Revoke another one?' });
  expect(await first).toBe(false);
  expect(asked.value?.title).toBe('Revoke another one?');
  asked.value!.answer(true);
  expect(await second).toBe(true);
});
