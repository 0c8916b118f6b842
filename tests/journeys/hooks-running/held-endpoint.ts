/** A TCP listener on loopback that takes a request and deliberately never answers it. */
export interface HeldEndpoint {
  readonly url: string;
  /** The first connection has sent its request. */
  readonly requested: Promise<string>;
  /** The first connection has ended from the other side: EOF or reset, whichever the kernel gave. */
  readonly ended: Promise<"eof" | "reset">;
  readonly connections: () => number;
  readonly close: () => void;
}

export function holdEndpoint(): HeldEndpoint {
  const requested = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<"eof" | "reset">();
  let connections = 0;
  const listener = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open: () => {
        connections++;
      },
      data: (_socket, bytes) => requested.resolve(bytes.toString()),
      end: () => ended.resolve("eof"),
      close: (_socket, error) => ended.resolve(error === undefined ? "eof" : "reset"),
      error: () => ended.resolve("reset"),
    },
  });
  return {
    url: `http://127.0.0.1:${listener.port}/held`,
    requested: requested.promise,
    ended: ended.promise,
    connections: () => connections,
    close: () => listener.stop(true),
  };
}
