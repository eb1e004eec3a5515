import { expect, it } from 'vitest';
import { bindingRequest } from '../testing/binding-request.ts';
import { IceCredentialMaker } from './credential-maker.ts';
import type { IceCredentials } from './credentials.ts';
import { parseBindingRequest } from './stun.ts';

const KEY = Buffer.alloc(32, 7);

const check = ({ ufrag, password }: IceCredentials) =>
  parseBindingRequest(bindingRequest({ username: `${ufrag}:client`, password }))!;

it('are known to every process with the same key, and to no other', () => {
  const credentials = new IceCredentialMaker(KEY).make();
  expect(credentials.ufrag).toMatch(/^[0-9a-f]{12}$/);
  expect(credentials.password).toMatch(/^[0-9a-f]{36}$/);
  expect(new IceCredentialMaker(KEY).passwordOf(check(credentials))).toBe(credentials.password);
  expect(new IceCredentialMaker().passwordOf(check(credentials))).toBeNull();
});

it('are not known when the check is forged', () => {
  const maker = new IceCredentialMaker(KEY);
  expect(maker.passwordOf(check({ ...maker.make(), password: 'a guess' }))).toBeNull();
});
