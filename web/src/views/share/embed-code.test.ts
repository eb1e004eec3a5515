import { expect, it } from 'vitest';
import { embedCode } from './embed-code.ts';

it('the code of the widget is one tag in a corner, and an element in the text of a page', () => {
  const service = 'https://talk.example.com';
  expect(embedCode({ service, source: { kind: 'share', token: 'abc' }, layout: 'floating' })).toBe(
    '<script src="https://talk.example.com/widget.js" data-share="abc"></script>',
  );
  expect(embedCode({ service, source: { kind: 'persona', personaId: '42' }, layout: 'inline' })).toBe(
    '<parley-persona persona="42" layout="inline"></parley-persona>\n<script src="https://talk.example.com/widget.js"></script>',
  );
});
