import { assert, constantFrom, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { privateHosts } from './private-hosts.ts';
import { assertPublicUrl, parsePublicUrl, PublicUrlError } from './public-url.ts';

function codeOf(text: string): string {
  try {
    parsePublicUrl(text);
    return 'accepted';
  } catch (error) {
    if (error instanceof PublicUrlError) return error.code;
    throw error;
  }
}

describe('a public URL', () => {
  it.each([
    'https://api.example.com/v1/hook?x=1',
    'http://example.com',
    'https://93.184.215.14/',
    'https://example.com.:8443/',
    'https://[2606:4700::1111]/',
    'https://bücher.example/',
  ])('accepts %s', (url) => expect(codeOf(url)).toBe('accepted'));

  it.each([
    ['loopback', 'http://127.0.0.1:8080/'],
    ['loopback elsewhere', 'http://127.9.9.9/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['private', 'http://10.1.2.3/'],
    ['private', 'http://172.16.0.1/'],
    ['private', 'http://192.168.1.1/'],
    ['cloud metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['cloud metadata over IPv6', 'http://[fd00:ec2::254]/'],
    ['cloud control', 'http://168.63.129.16/'],
    ['carrier-grade NAT', 'http://100.64.0.1/'],
    ['multicast', 'http://224.0.0.1/'],
    ['unspecified', 'http://0.0.0.0/'],
    ['broadcast', 'http://255.255.255.255/'],
    ['IPv6 link-local', 'http://[fe80::1]/'],
    ['mapped IPv4', 'http://[::ffff:127.0.0.1]/'],
    ['mapped IPv4 in hex', 'http://[::ffff:7f00:1]/'],
    ['NAT64', 'http://[64:ff9b::7f00:1]/'],
    ['6to4', 'http://[2002:7f00:1::]/'],
    ['IPv4-compatible', 'http://[::127.0.0.1]/'],
    ['decimal', 'http://2130706433/'],
    ['octal', 'http://0177.0.0.1/'],
    ['hexadecimal', 'http://0x7f000001/'],
    ['short', 'http://127.1/'],
    ['address with a dot at the end', 'http://127.0.0.1./'],
    ['full-width digits', 'http://１２７.0.0.1/'],
    ['localhost', 'http://localhost:3000/'],
    ['localhost with a dot', 'http://localhost./'],
    ['percent-encoded', 'http://%6cocalhost/'],
    ['name below localhost', 'http://app.localhost/'],
    ['.local', 'http://printer.local/'],
    ['.internal', 'http://metadata.google.internal/'],
    ['bare name', 'http://intranet/'],
  ])('refuses %s', (_what, url) => expect(codeOf(url)).toBe('not-public'));

  it.each([
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https://user:secret@example.com/', 'credentials'],
    ['https://user@example.com/', 'credentials'],
    ['not a url', 'invalid'],
    ['', 'invalid'],
    ['https://[::1%25eth0]/', 'invalid'],
    [`https://example.com/${'a'.repeat(5000)}`, 'invalid'],
  ])('refuses %s as %s', (url, code) => expect(codeOf(url)).toBe(code));

  it('never lets an address of a private network through, however it is written', () => {
    assert(
      property(constantFrom(10, 127), nat(255), nat(255), nat(255), (a, b, c, d) => {
        const number = ((a * 256 + b) * 256 + c) * 256 + d;
        for (const host of [
          `${a}.${b}.${c}.${d}`,
          `${number}`,
          `0x${number.toString(16)}`,
          `0${number.toString(8)}`,
          `[::ffff:${a}.${b}.${c}.${d}]`,
        ]) {
          expect(codeOf(`http://${host}/`)).toBe('not-public');
        }
      }),
    );
  });

  it('does not take nonsense for an address', () => {
    for (const text of ['', 'example.com', '1.2.3', '999.1.1.1', '::g', '8.8.8.8 '])
      expect(isPublicAddress(text)).toBe(false);
  });
});

describe('saving a URL', () => {
  it('refuses a name of which one address is private', async () => {
    const resolve = async () => ['93.184.215.14', '10.0.0.5'];
    await expect(assertPublicUrl('https://mixed.example.com/', { resolve })).rejects.toMatchObject({
      code: 'not-public',
    });
  });

  it('accepts a name that does not resolve yet', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect((await assertPublicUrl('https://soon.example.com/', { resolve })).hostname).toBe('soon.example.com');
  });

  it('lets an operator allow a host, with or without its port', async () => {
    const allowed = privateHosts(['localhost:9000', '127.0.0.1', '[::1]:80']);
    await expect(assertPublicUrl('http://localhost:9000/', { allowed })).resolves.toBeInstanceOf(URL);
    await expect(assertPublicUrl('http://127.0.0.1:1234/', { allowed })).resolves.toBeInstanceOf(URL);
    await expect(assertPublicUrl('http://[::1]/', { allowed })).resolves.toBeInstanceOf(URL);
    await expect(assertPublicUrl('http://localhost:9001/', { allowed })).rejects.toMatchObject({ code: 'not-public' });
  });
});
