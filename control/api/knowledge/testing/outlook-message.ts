import { compoundOf } from './compound.ts';

/** What a message of Outlook has. Its texts are in Unicode, unless it has a charset. */
export interface OutlookMessage {
  readonly subject: string;
  readonly sender: string;
  readonly text?: string;
  readonly html?: Buffer;
  readonly rtf?: Buffer;
  readonly attachments?: readonly { readonly name: string; readonly content: Buffer | OutlookMessage }[];
}

/** 2026-03-01 10:00 UTC, in tenths of microseconds since 1601. */
const SENT = (BigInt(Date.UTC(2026, 2, 1, 10)) + 11_644_473_600_000n) * 10_000n;

export const outlookMessageOf = (message: OutlookMessage): Buffer => compoundOf(streamsOf(message, '', 32));

function streamsOf(message: OutlookMessage, folder: string, header: number): Record<string, Buffer> {
  const sent = Buffer.alloc(header + 16);
  sent.writeUInt32LE(0x00390040, header);
  sent.writeBigUInt64LE(SENT, header + 8);
  const text = (value: string): Buffer => Buffer.from(value, 'utf16le');
  return {
    [`${folder}__properties_version1.0`]: sent,
    [`${folder}__substg1.0_0037001F`]: text(message.subject),
    [`${folder}__substg1.0_0C1A001F`]: text(message.sender),
    ...(message.text !== undefined && { [`${folder}__substg1.0_1000001F`]: text(message.text) }),
    ...(message.html !== undefined && { [`${folder}__substg1.0_10130102`]: message.html }),
    ...(message.rtf !== undefined && { [`${folder}__substg1.0_10090102`]: message.rtf }),
    ...Object.assign(
      {},
      ...(message.attachments ?? []).map((one, index) => attached(one, `${folder}${nameOf(index)}`)),
    ),
  };
}

const nameOf = (index: number): string => `__attach_version1.0_#${String(index).padStart(8, '0')}/`;

function attached(
  { name, content }: NonNullable<OutlookMessage['attachments']>[number],
  folder: string,
): Record<string, Buffer> {
  const own = {
    [`${folder}__properties_version1.0`]: Buffer.alloc(8),
    [`${folder}__substg1.0_3707001F`]: Buffer.from(name, 'utf16le'),
  };
  return Buffer.isBuffer(content)
    ? { ...own, [`${folder}__substg1.0_37010102`]: content }
    : { ...own, ...streamsOf(content, `${folder}__substg1.0_3701000D/`, 24) };
}

/** Rich text as Outlook stores it, without making it shorter. */
export function storedRtf(rtf: string): Buffer {
  const header = Buffer.alloc(16);
  header.writeUInt32LE(rtf.length + 12, 0);
  header.writeUInt32LE(rtf.length, 4);
  header.write('MELA', 8, 'latin1');
  return Buffer.concat([header, Buffer.from(rtf, 'latin1')]);
}
