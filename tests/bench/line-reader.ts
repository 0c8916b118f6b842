// The floor of reading a transcript: each line of the file named on the command line through JSON.parse, a quarter of a megabyte at a time.
// It stands alone, since the bench builds it as a program of its own.
import { openSync, readSync } from "node:fs";

const descriptor = openSync(process.argv[2] ?? "", "r");
const chunk = Buffer.allocUnsafeSlow(256 * 1024);
let begun = Buffer.alloc(0);
for (let got = readSync(descriptor, chunk); got > 0; got = readSync(descriptor, chunk)) {
  const bytes = chunk.subarray(0, got);
  let from = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
    const rest = bytes.subarray(from, end);
    JSON.parse((begun.length === 0 ? rest : Buffer.concat([begun, rest])).toString());
    begun = Buffer.alloc(0);
    from = end + 1;
  }
  if (from < got) begun = Buffer.concat([begun, bytes.subarray(from)]);
}
