import { assert, jsonValue, property } from 'fast-check';
import { expect, it } from 'vitest';
import { fillBodyTemplate } from './body-template.ts';

it('makes valid JSON from any argument, inside quotes and outside of them', () => {
  assert(
    property(jsonValue(), (value) => {
      const filled: unknown = JSON.parse(
        fillBodyTemplate('{"text": "<{{ value }}>", "value": {{value}}, "quote": "\\"", "id": "{{session_id}}"}', {
          value,
          session_id: 's',
        }),
      );
      expect(filled).toMatchObject({ quote: '"', id: 's' });
      expect((filled as { value: unknown }).value).toEqual(JSON.parse(JSON.stringify(value)));
      if (typeof value === 'string') expect((filled as { text: unknown }).text).toBe(`<${value}>`);
    }),
  );
});

it('leaves a missing argument empty or null', () => {
  expect(fillBodyTemplate('{"a": "{{nobody}}", "b": {{nobody}}, "c": "{{constructor}}"}', {})).toBe(
    '{"a": "", "b": null, "c": ""}',
  );
});
