import { expect, it } from 'vitest';
import { costText, moneyText, priceText, spentText } from './money.ts';

it.each([
  [0, '$0.00'],
  [0.000_01, '<$0.0001'],
  [0.0123, '$0.0123'],
  [0.5, '$0.50'],
  [12.345, '$12.35'],
])('%d is shown as %s', (amount, text) => {
  expect(moneyText(amount, 'USD')).toBe(text);
});

it('shows prices as they were entered', () => {
  expect(priceText(0.000_125, 'USD')).toBe('$0.000125');
});

it('says where a cost is only known in part', () => {
  expect(costText({ currency: 'EUR', amount: 2, isComplete: false })).toBe('at least €2.00');
  expect(costText(null)).toBeNull();
});

it('adds no currencies', () => {
  const spent = (currency: string, amount: number) => ({ currency, amount, isComplete: true, sessions: 2 });
  expect(spentText([spent('USD', 3), spent('EUR', 1)])).toBe('$3.00 + €1.00');
  expect(spentText([spent('USD', 3)], 1 / 2)).toBe('$1.50');
  expect(spentText([])).toBeNull();
});
