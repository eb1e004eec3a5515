import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as sdk from '@anam-ai/js-sdk';
import { describe, expect, it } from 'vitest';
import { Client } from './client.ts';
import { ERROR_CODES } from './errors.ts';
import { ClientEvent } from './events.ts';
import * as own from './index.ts';

/**
 * The page for those who come from the public SDK must name everything that is different, for the version that is
 * installed here.
 */
const PAGE = readFileSync(new URL('../../../docs/guides/compared-with-the-public-sdk.md', import.meta.url), 'utf8');
const SDK = join(createRequire(import.meta.url).resolve('@anam-ai/js-sdk'), '../../..');
const declaration = (name: string): string => readFileSync(join(SDK, 'dist/module', `${name}.d.ts`), 'utf8');

/** Names that stand in the page as code, alone or at the beginning. */
const NAMED = new Set([...PAGE.matchAll(/`…?(\w+)/g)].map(([, name]) => name));
const unnamed = (names: readonly string[], has: (name: string) => boolean): string[] =>
  names.filter((name) => !has(name) && !NAMED.has(name));

describe('the page that compares with the public SDK', () => {
  it('is about the version that the tests use', () => {
    const { version } = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as { version: string };
    expect(PAGE).toContain(`the public SDK in version ${version}`);
  });

  it('names each method, and says of none wrongly that it is the same', () => {
    const methods = [...declaration('AnamClient').matchAll(/^ {4}(?!private |constructor)(\w+)[(<]/gm)].map(
      ([, name]) => name!,
    );
    expect(methods.length).toBeGreaterThan(20);
    const has = (name: string): boolean => name in Client.prototype;
    expect(methods.filter((name) => !NAMED.has(name))).toEqual([]);
    const same = PAGE.split('\n').find((line) => line.startsWith('| `stream`'));
    const claimed = [...(same ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    expect(claimed.filter((name) => !has(name) || !methods.includes(name))).toEqual([]);
    expect(methods.filter((name) => has(name) && ![...claimed, 'registerToolCallHandler'].includes(name))).toEqual([]);
  });

  it('names each event that is missing', () => {
    expect(unnamed(Object.keys(sdk.AnamEvent), (name) => name in ClientEvent)).toEqual([]);
  });

  it('names each option that is missing', () => {
    const options = [...declaration('types/AnamPublicClientOptions').matchAll(/^ {4}(\w+)\?:/gm)].map(
      ([, name]) => name!,
    );
    expect(options).toContain('voiceDetection');
    const ours = readFileSync(new URL('options.ts', import.meta.url), 'utf8');
    expect(unnamed(options, (name) => ours.includes(`  readonly ${name}?:`))).toEqual([]);
  });

  it('names each export that is missing', () => {
    const exported = Object.keys(sdk).filter(
      (name) => /^[A-Za-z_]+$/.test(name) && !['default', '__esModule'].includes(name),
    );
    expect(unnamed(exported, (name) => name in own)).toEqual([]);
  });

  it('translates each error code into codes that exist, and counts them', () => {
    const codes = Object.keys(sdk.ErrorCode).map((code) => code.replace('CLIENT_ERROR_CODE_', ''));
    const rows = PAGE.split('\n').filter((line) => line.startsWith('| `…'));
    const translated = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/…(\w+)/g)].map(([, code]) => code!));
    expect(translated.sort()).toEqual(codes.sort());
    const ours = rows.flatMap((row) => [...row.split('|')[2]!.matchAll(/`(\w+)`/g)].map(([, code]) => code!));
    expect(ours.filter((code) => !(ERROR_CODES as readonly string[]).includes(code))).toEqual([]);
    expect(PAGE).toContain(`| ${codes.length} codes | ${ERROR_CODES.length} codes`);
  });
});

it('the guide of this client explains every error code', () => {
  const guide = readFileSync(new URL('../../../docs/guides/javascript-client.md', import.meta.url), 'utf8');
  expect(ERROR_CODES.filter((code) => !guide.includes(`\`${code}\``))).toEqual([]);
});
