import { readFileSync } from "node:fs";
import { LeaseFromJSON, LeasePageFromJSON, ProblemFromJSON } from "./src";

// The generated TypeScript client reads what the service answers, new values of enumerations included.
const read = (name: string) => JSON.parse(readFileSync(`${process.argv[2]}/${name}`, "utf8"));

const expect = (wanted: unknown, present: unknown) => {
  if (wanted !== present) throw new Error(`wanted ${wanted}, is ${present}`);
};

const lease = LeaseFromJSON(read("lease.json"));
expect("HIBERNATING", lease.state);
expect(625, lease.allocations![0].gpus![1].units![0].end);
expect("refused-shortage", ProblemFromJSON(read("refusal.json")).code);
const page = LeasePageFromJSON(read("page.json"));
expect("WAITING", page.items![0].state);
expect("bmV4dA", page.nextPageToken);
