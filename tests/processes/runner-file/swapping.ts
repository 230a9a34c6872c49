/** Updates a file again and again, until it is killed. */
import {
  commitProgram,
  programFileAt,
  stageProgram,
} from '@/workers/runner/standalone/program-file';

const program = programFileAt(process.argv[2] ?? '');
for (let round = 0; ; round += 1) {
  stageProgram(program, Buffer.from((round % 2 ? 'a' : 'b').repeat(2_000_000)));
  commitProgram(program);
  if (round === 0) process.stdout.write('swapping\n');
}
