/**
 * Calls back when the event loop has polled its sockets this many times. By then, all that had arrived before the call
 * was read, however busy the loop is. Each time, libuv reads up to 32 datagrams of one socket.
 */
export function afterSocketReads(times: number, then: () => void): void {
  setImmediate(times <= 1 ? then : () => afterSocketReads(times - 1, then));
}
