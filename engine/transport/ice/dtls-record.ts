/** DTLS record types (RFC 6347): the first byte of a datagram that is neither STUN nor RTP. */
export const DTLS_ALERT = 21;
export const DTLS_HANDSHAKE = 22;
export const DTLS_DATA = 23;

const EPOCH_AT = 3;
/** In a record of the handshake: the type of its first message. */
const MESSAGE_TYPE_AT = 13;
const CLIENT_HELLO = 1;

/** Whether a datagram asks for a DTLS association: unencrypted, and the first message of a handshake. */
export function isClientHello(datagram: Buffer): boolean {
  return (
    datagram.length > MESSAGE_TYPE_AT &&
    datagram[0] === DTLS_HANDSHAKE &&
    datagram.readUInt16BE(EPOCH_AT) === 0 &&
    datagram[MESSAGE_TYPE_AT] === CLIENT_HELLO
  );
}
