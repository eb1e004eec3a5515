import { expect, it } from 'vitest';
import { bindingRequest } from '../../testing/binding-request.ts';
import { parseBindingRequest, type BindingRequest } from '../stun.ts';
import { CredentialTable } from './credential-table.ts';

const ADA = { ufrag: 'ada', password: 'the password of Ada' };

function check({ ufrag, password }: { ufrag: string; password: string }): BindingRequest {
  return parseBindingRequest(bindingRequest({ username: `${ufrag}:client`, password }))!;
}

it('knows whose a check is, if its sender knows the password', () => {
  const table = new CredentialTable<string>();
  table.add('first', ADA);
  expect(table.judge(check(ADA))).toEqual({ kind: 'of', owner: 'first' });
  expect(table.judge(check({ ...ADA, password: 'a guess' }))).toEqual({ kind: 'stranger' });
  expect(table.judge(check({ ...ADA, ufrag: 'bob' }))).toEqual({ kind: 'stranger' });
});

it('recognizes the clients of a process that died for a minute, and not those of the others', () => {
  const table = new CredentialTable<string>();
  const bob = { ufrag: 'bob', password: 'the password of Bob' };
  table.add('first', ADA);
  table.add('second', bob);
  table.died('first', 1_000);
  table.sweep(60_000);
  expect(table.judge(check(ADA))).toEqual({ kind: 'orphan', password: ADA.password });
  expect(table.judge(check(bob))).toEqual({ kind: 'of', owner: 'second' });
  table.sweep(61_001);
  expect(table.judge(check(ADA))).toEqual({ kind: 'stranger' });
  expect(table.size).toBe(1);
});

it('forgets what its owner takes back, and nothing that another one has', () => {
  const table = new CredentialTable<string>();
  table.add('first', ADA);
  table.remove('second', ADA.ufrag);
  expect(table.judge(check(ADA)).kind).toBe('of');
  table.remove('first', ADA.ufrag);
  expect(table.judge(check(ADA)).kind).toBe('stranger');
});
