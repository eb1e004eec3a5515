/**
 * Largest RTP payload in bytes. 1,280 is what every IPv6 link carries; less 48 for IP and UDP, 24 for RTP with its
 * extensions, 16 for the SRTP tag and room for a tunnel.
 */
export const MAX_PAYLOAD_BYTES = 1_150;
