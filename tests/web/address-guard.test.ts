import { describe, expect, test } from 'vitest';
import { isPublicAddress, isWithinNetworks, pageAddress } from '#web/address-guard';

describe('A public address', () => {
  test.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '198.17.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '[2606:4700:4700::1111]',
    '2a00:1450:4001:82a::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
    '64:ff9b::1.1.1.1',
  ])('isPublicAddress accepts %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('A private, reserved or invalid address', () => {
  test.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.254'],
    ...['127.0.0.1', '127.1.2.3', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
    ...['192.0.0.1', '192.0.2.5', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.19.255.255'],
    ...['198.51.100.7', '203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '[::1]', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:0'],
    ...['::ffff:10.0.0.1', '::ffff:c0a8:101', '64:ff9b::7f00:1', '64:ff9b::10.0.0.1'],
    ...['64:ff9b:1::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1'],
    ...['2001::1', '2001:db8::1', '2002:7f00:1::', '2002:a00:1::1', '3fff::1', '100::1', '5f00::1'],
    ...['', 'localhost', 'example.com', '1.2.3', '1.2.3.4.5', '256.1.1.1', '1:2:3', '1::2::3'],
    ...['2606:4700:4700::11111', '1:2:3:4:5:6:7:8:9', '::1.2.3', '2606::1%1', '0x7f.0.0.1'],
  ])('isPublicAddress refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('The networks of this computer', () => {
  const networks = ['141.20.1.1/16', '2a01:4f8:1:2::1/64'];
  test.each([
    ['141.20.200.7', true],
    ['::ffff:141.20.200.7', true],
    ['[::ffff:8d14:c807]', true],
    ['64:ff9b::8d14:c807', true],
    ['2a01:4f8:1:2::9', true],
    ['141.21.0.1', false],
    ['::ffff:141.21.0.1', false],
    ['::8d14:c807', false],
    ['2a01:4f8:1:3::9', false],
    ['', false],
  ])('isWithinNetworks tells whether the networks contain %s: %s', (address, holds) => {
    expect(isWithinNetworks(address, networks)).toBe(holds);
  });
});

describe('The URL of a page', () => {
  test.each([
    ['http://127.0.0.1/', 'own network'],
    ['http://127.1/', 'own network'],
    ['http://2130706433/', 'own network'],
    ['http://0x7f000001/', 'own network'],
    ['http://0177.0.0.1/', 'own network'],
    ['http://0x7f.1/', 'own network'],
    ['http://127。0。0。1/', 'own network'],
    ['http://①②⑦.0.0.1/', 'own network'],
    ['http://0/', 'own network'],
    ['http://[::1]:8080/', 'own network'],
    ['http://[::ffff:127.0.0.1]/', 'own network'],
    ['http://[0:0:0:0:0:ffff:7f00:1]/', 'own network'],
    ['http://[64:ff9b::7f00:1]/', 'own network'],
    ['http://169.254.169.254/latest/meta-data', 'own network'],
    ['http://192.168.0.1/', 'own network'],
    ['http://localhost/', 'own network'],
    ['http://LOCALHOST./', 'own network'],
    ['http://a.localhost/', 'own network'],
    ['http://printer.local/', 'own network'],
    ['http://router/', 'own network'],
    ['http://nas.home.arpa/', 'own network'],
    ['http://metadata.google.internal/', 'own network'],
    ['http://user@example.com/', 'a user or a password'],
    ['http://example.com:80@127.0.0.1/', 'a user or a password'],
    ['http://example.com:25/', 'port 25'],
    ['https://example.com:22/', 'port 22'],
    ['ftp://example.com/', 'neither http nor https'],
    ['file:///etc/passwd', 'neither http nor https'],
    ['javascript:alert(1)', 'neither http nor https'],
    ['data:text/html,hello', 'neither http nor https'],
    ['obsidian://open?vault=a', 'neither http nor https'],
    ['example.com/page', 'is not a URL'],
    ['', 'is not a URL'],
    ['http://exa mple.com/', 'is not a URL'],
    [`https://example.com/${'a'.repeat(2_000)}`, 'longer than 2000'],
  ])('pageAddress refuses %s because of %s', (url, why) => {
    const asked = pageAddress(url);
    expect(asked).toMatchObject({ ok: false, reason: expect.stringContaining(why) as string });
    expect(asked).toMatchObject({
      reason: expect.stringContaining('such as https://example.com/page') as string,
    });
  });

  test.each([
    ['https://example.com', 'https://example.com/'],
    ['http://example.com:8080/a?b=c#d', 'http://example.com:8080/a?b=c#d'],
    ['http://1.1.1.1/', 'http://1.1.1.1/'],
    ['https://münchen.example.org/ü', 'https://xn--mnchen-3ya.example.org/%C3%BC'],
  ])('pageAddress accepts %s', (url, href) => {
    const asked = pageAddress(url);
    expect(asked.ok && asked.url.href).toBe(href);
  });
});
