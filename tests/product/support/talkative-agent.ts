/** A program in the CLI's place that says very much, and waits at its start and in the middle. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { agentScript } from '../../support/fake-control-plane/agent-script';

export interface TalkativeAgent {
  file: string;
  /** It says half of its lines; `line 0` is the first. */
  letBegin(): void;
  /** It says the rest and hands in its report. Later starts wait for nothing. */
  letGoOn(): void;
}

/** `dir`: a folder of its own. */
export async function talkativeAgent(dir: string, lines: number): Promise<TalkativeAgent> {
  const begin = path.join(dir, 'begin');
  const goOn = path.join(dir, 'go-on');
  const body = `
const report = {
  summary: 'All was said.', services_checked: [], findings: [],
  escalation: { wanted: false, reason: '', services: [] }, actions_taken: [] };
const speak = (from, to) => { for (let n = from; n < to; n += 1) text('line ' + n); };
const when = (file, work) => {
  const look = setInterval(() => {
    if (!fs.existsSync(file)) return;
    clearInterval(look);
    work();
  }, 20);
};
transcript(); init();
when(${JSON.stringify(begin)}, () => {
  speak(0, ${lines / 2});
  when(${JSON.stringify(goOn)}, () => {
    speak(${lines / 2}, ${lines});
    result({ structured_output: report });
  });
});
`;
  return {
    file: await agentScript(dir, body),
    letBegin: () => writeFileSync(begin, ''),
    letGoOn: () => writeFileSync(goOn, ''),
  };
}
