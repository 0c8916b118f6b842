import { nothingFailsOpenIn } from "../agents/nothing-fails-open.ts";
import { omp } from "../agents/omp.ts";

nothingFailsOpenIn(omp);
