import { describe, expect, it } from 'vitest';
import { outlookMessageOf, storedRtf } from '../testing/outlook-message.ts';
import { read, textOf } from '../testing/read.ts';
import { expandedRtf } from './compressed-rtf.ts';

const HEAD = { subject: 'Breakfast', sender: 'Jane Doe' };

describe('Of a message of Outlook (.msg) is read', () => {
  it('its subject, who wrote it and when, and its text', async () =>
    expect(await read('a.msg', outlookMessageOf({ ...HEAD, text: 'It is at 7.\r\n\r\nSee you.' }))).toEqual([
      { content: 'Breakfast\n\nJane Doe, 2026-03-01\n\nIt is at 7.\n\nSee you.', metadata: { heading: 'Breakfast' } },
    ]));

  it('its page', async () => {
    const html = Buffer.from('<html><body><p>It is at <b>7</b>.</p></body></html>');
    expect(await textOf('a.msg', outlookMessageOf({ ...HEAD, html, text: 'other' }))).toContain('It is at 7.');
  });

  it('the page that stands within rich text, and rich text itself', async () => {
    const page =
      '{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}It is at 7.{\\*\\htmltag72 </p>}\\htmlrtf gone\\htmlrtf0 }';
    expect(await textOf('a.msg', outlookMessageOf({ ...HEAD, rtf: storedRtf(page) }))).toMatch(/01\n\nIt is at 7\.$/);
    const rich = storedRtf('{\\rtf1\\ansi It is at {\\b 7}.\\par}');
    expect(await textOf('a.msg', outlookMessageOf({ ...HEAD, rtf: rich }))).toMatch(/01\n\nIt is at 7\.$/);
  });

  it('rich text that is compressed', () => {
    // The example of MS-OXRTFCP, 3.1.
    const bytes =
      '2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232' + '0af32068656c090020627705b06c647d0a800fa0';
    expect(expandedRtf(Buffer.from(bytes, 'hex')).toString()).toBe('{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n');
  });

  it('documents and messages that are attached to it', async () => {
    const attachments = [
      { name: 'prices.csv', content: Buffer.from('room,price\nAttic,80') },
      { name: 'photo.png', content: Buffer.from('89504e470d0a1a0a', 'hex') },
      { name: 'Lunch', content: { subject: 'Lunch', sender: 'John', text: 'It is at 12.' } },
    ];
    const passages = await read('a.msg', outlookMessageOf({ ...HEAD, text: 'See both.', attachments }));
    expect(passages.slice(1)).toEqual([
      { content: 'room: Attic\nprice: 80', metadata: { row: 1, heading: 'Breakfast › prices.csv' } },
      { content: 'Lunch\n\nJohn, 2026-03-01\n\nIt is at 12.', metadata: { heading: 'Lunch' } },
    ]);
  });
});

it('A message of Outlook that is cut off is read as far as it goes, or refused', async () => {
  const whole = outlookMessageOf({ ...HEAD, text: 'It is at 7. '.repeat(500) });
  for (let length = 0; length < whole.length; length += 499)
    await read('a.msg', whole.subarray(0, length)).catch((error: Error) =>
      expect(error.message).toMatch(/damaged|empty|old program|no text/),
    );
});
