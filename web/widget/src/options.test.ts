import { describe, expect, it } from 'vitest';
import { type Attribute, isSameWidget, readOptions, valuesInAddress } from './options.ts';

const read = (attributes: Partial<Record<Attribute, string>>) =>
  readOptions((name) => attributes[name] ?? null, 'https://talk.example.com');

describe('the attributes of the widget', () => {
  it('name a share link by its token or its address', () => {
    for (const share of [
      'VBp0LX4NybQPxUWylqemKA',
      ' https://talk.example.com/s/VBp0LX4NybQPxUWylqemKA/ ',
      'https://example.com/parley/s/VBp0LX4NybQPxUWylqemKA?guest=Ann#top',
    ])
      expect(read({ share }).source).toEqual({ kind: 'share', token: 'VBp0LX4NybQPxUWylqemKA' });
  });

  it('name a persona, or nothing', () => {
    expect(read({ persona: ' 42 ' }).source).toEqual({ kind: 'persona', personaId: '42' });
    for (const nothing of [{}, { share: '' }, { persona: ' ' }]) expect(read(nothing).source).toBeNull();
  });

  it('give values of variables, if they are JSON', () => {
    const valuesOf = (variables: string) => read({ variables }).variableValues;
    expect(valuesOf('{"guest": "Ann", "room": 7}')).toEqual({ guest: 'Ann', room: '7' });
    expect(valuesOf(valuesInAddress(`?guest=Ann%20B&gclid=${'x'.repeat(300)}`))).toEqual({ guest: 'Ann B' });
    for (const other of ['guest=Ann', '["Ann"]', 'null']) expect(valuesOf(other)).toEqual({});
  });

  it('tell whether a widget was put into the page twice', () => {
    const link = { share: 'VBp0LX4NybQPxUWylqemKA' };
    const isSame = (one: Partial<Record<Attribute, string>>, other: Partial<Record<Attribute, string>>) =>
      isSameWidget(read(one), read(other));
    expect(isSame(link, { ...link })).toBe(true);
    expect(isSame(link, { share: `https://talk.example.com/s/${link.share}/`, lang: 'de', theme: 'dark' })).toBe(true);
    expect(isSame({ variables: '{"a":"1","b":"2"}' }, { variables: '{"b":"2","a":"1"}' })).toBe(true);
    const others = [{ share: 'another' }, { ...link, layout: 'inline' }, { ...link, variables: '{"guest":"Ann"}' }];
    for (const other of [{ persona: '42' }, { ...link, service: 'https://other' }, ...others])
      expect(isSame(link, other)).toBe(false);
  });

  it('leave to the persona what they do not say, or say wrongly', () => {
    expect(read({ layout: 'sideways', position: 'up', 'initial-state': 'gone', theme: 'blue' })).toEqual({
      source: null,
      service: 'https://talk.example.com',
      layout: undefined,
      position: undefined,
      initialState: undefined,
      callToAction: undefined,
      variableValues: {},
      theme: 'auto',
      language: null,
      resume: false,
    });
    expect(read({ layout: 'inline', position: 'top-left', theme: 'dark', service: 'https://other/' })).toMatchObject({
      layout: 'inline',
      position: 'top-left',
      theme: 'dark',
      service: 'https://other',
    });
    expect(['', 'true', 'false'].map((resume) => read({ resume }).resume)).toEqual([true, true, false]);
  });
});
