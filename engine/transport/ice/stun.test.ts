import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  attribute,
  bindingCheck,
  bindingRefusal,
  bindingSuccess,
  isAuthentic,
  isBindingSuccess,
  isStun,
  parseBindingRequest,
} from './stun.ts';
import { bindingRequest, MAGIC, type BindingRequestOptions } from '../testing/binding-request.ts';

const PASSWORD = 'a password of the session';
const request = (options: Partial<BindingRequestOptions> = {}): Buffer =>
  bindingRequest({ username: 'ours:theirs', password: PASSWORD, ...options });

describe('a binding request', () => {
  it('is read with its user name and nomination', () => {
    expect(parseBindingRequest(request())).toMatchObject({
      localUfrag: 'ours',
      remoteUfrag: 'theirs',
      nominates: false,
      priority: 0,
    });
    expect(parseBindingRequest(request({ nominate: true }))).toMatchObject({ nominates: true });
  });

  it('is authentic only with the right password and untouched', () => {
    expect(isAuthentic(parseBindingRequest(request())!, PASSWORD)).toBe(true);
    expect(isAuthentic(parseBindingRequest(request({ password: 'guessed' }))!, PASSWORD)).toBe(false);
    const parsed = parseBindingRequest(request())!;
    expect(isAuthentic({ ...parsed, signed: Buffer.from(parsed.signed).fill(0x61, 24, 28) }, PASSWORD)).toBe(false);
  });

  it('verifies with the test vector of RFC 5769', () => {
    const vector = Buffer.from(
      '000100582112a442b7e7a701bc34d686fa87dfae802200105354554e207465737420636c69656e74002400046e0001ff80290008932ff9b151263b36' +
        '000600096576746a3a68367659202020000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a280280004e57a3bcf',
      'hex',
    );
    const parsed = parseBindingRequest(vector);
    expect(parsed?.localUfrag).toBe('evtj');
    expect(isAuthentic(parsed!, 'VOkJxbRl1RmTxUk/WvJxBt')).toBe(true);
  });

  it('is refused when its checksum is wrong, it is cut, or it has no code', () => {
    const whole = request();
    const tampered = Buffer.from(whole);
    tampered[tampered.length - 1]! ^= 1;
    expect(parseBindingRequest(tampered)).toBeNull();
    for (let length = 0; length < whole.length; length++)
      expect(parseBindingRequest(whole.subarray(0, length))).toBeNull();
    const bare = Buffer.alloc(20);
    bare.writeUInt16BE(0x0001, 0);
    bare.writeUInt32BE(MAGIC, 4);
    expect(parseBindingRequest(bare)).toBeNull();
  });

  it('ignores what an intruder appended behind the code', () => {
    const signed = request().subarray(0, -8);
    const appended = Buffer.concat([signed, attribute(0x0025, Buffer.alloc(0))]);
    appended.writeUInt16BE(appended.length - 20, 2);
    expect(parseBindingRequest(appended)).toMatchObject({ nominates: false });
  });
});

it.each([
  ['192.0.2.1', 32_853, 'a147e112a643'],
  ['2001:db8:1234:5678:11:2233:4455:6677', 32_853, 'a1470113a9faa5d3f179bc25f4b5bed2b9d9'],
])('tells %s its own address as RFC 5769 does', (address, port, xored) => {
  const transactionId = Buffer.from('b7e7a701bc34d686fa87dfae', 'hex');
  const answer = bindingSuccess(
    {
      transactionId,
      localUfrag: '',
      remoteUfrag: '',
      nominates: false,
      priority: 0,
      signed: Buffer.alloc(0),
      integrity: Buffer.alloc(0),
    },
    address,
    port,
    PASSWORD,
  );
  expect(answer.readUInt16BE(0)).toBe(0x0101);
  const length = answer.readUInt16BE(22);
  expect(answer.subarray(26, 24 + length).toString('hex')).toBe(xored);
});

it('refuses a request with code 400, signed with the password', () => {
  const parsed = parseBindingRequest(request())!;
  const refusal = bindingRefusal(parsed, PASSWORD);
  expect(refusal.readUInt16BE(0)).toBe(0x0111);
  expect(refusal.subarray(8, 20)).toEqual(parsed.transactionId);
  expect(refusal.subarray(20, 28).toString('hex')).toBe('0009000400000400');
  // MESSAGE-INTEGRITY covers the length up to its own end, FINGERPRINT the whole one.
  const signed = Buffer.from(refusal.subarray(0, 28));
  signed.writeUInt16BE(8 + 24, 2);
  expect(refusal.subarray(32, 52)).toEqual(createHmac('sha1', PASSWORD).update(signed).digest());
  expect(refusal.readUInt16BE(2)).toBe(refusal.length - 20);
  expect(refusal.readUInt32BE(56)).toBe((crc32(refusal.subarray(0, 52)) ^ 0x5354554e) >>> 0);
});

it('is not confused with DTLS or RTP', () => {
  expect(isStun(request())).toBe(true);
  expect(isStun(Buffer.from([22, ...Buffer.alloc(40)]))).toBe(false);
  expect(isStun(Buffer.from([0x80, ...Buffer.alloc(40)]))).toBe(false);
});

describe('a check of our own', () => {
  const transactionId = Buffer.from('nobody knows');
  const [ours, theirs] = [
    { ufrag: 'ours', password: 'known to us' },
    { ufrag: 'theirs', password: 'known to them' },
  ];
  const check = parseBindingRequest(bindingCheck(transactionId, ours, theirs))!;

  it('is one that the client takes as authentic, and that nominates nothing', () => {
    expect(check).toMatchObject({ localUfrag: 'theirs', remoteUfrag: 'ours', nominates: false, transactionId });
    expect(isAuthentic(check, theirs.password)).toBe(true);
    expect(isAuthentic(check, ours.password)).toBe(false);
  });

  it('is answered by the success of the same transaction, and by nothing else', () => {
    const success = bindingSuccess(check, '192.0.2.7', 4_000, theirs.password);
    expect(isBindingSuccess(success, transactionId)).toBe(true);
    expect(isBindingSuccess(success, Buffer.from('another one.'))).toBe(false);
    expect(isBindingSuccess(bindingRefusal(check, theirs.password), transactionId)).toBe(false);
    expect(isBindingSuccess(Buffer.from('short'), transactionId)).toBe(false);
  });
});
