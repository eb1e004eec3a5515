import { expect, it } from 'vitest';
import { guessLanguage } from './guess-language.ts';

it.each([
  ['de', 'Das kostet zwölf Euro fünfzig am 3.'],
  ['de', 'Guten Tag, wie kann ich Ihnen helfen?'],
  ['en', 'It will be ready on Monday.'],
  ['fr', 'Bonjour, que puis-je faire pour vous ?'],
  ['es', 'La entrada cuesta doce euros y hay que pagar en la puerta.'],
  ['it', 'Il biglietto costa dodici euro, grazie.'],
  ['pt', 'Não, isso é muito bom, obrigado.'],
  ['nl', 'Het is niet ver, je kunt lopen.'],
  ['ja', '価格は千円です。'],
  ['ru', 'Я не знаю, но это и на работе.'],
  [null, '42'],
  [null, 'Hmm… Okay!'],
])('%s: %s', (language, text) => {
  expect(guessLanguage(text)).toBe(language);
});
